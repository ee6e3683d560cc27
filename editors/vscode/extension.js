// Starts `macaw lsp` for files with rules, and runs `macaw check --play` on demand.
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function program() {
	return vscode.workspace.getConfiguration("macaw").get("path");
}

function play() {
	const editor = vscode.window.activeTextEditor;
	if (!editor) {
		return;
	}
	editor.document.save().then(() => {
		const terminal = vscode.window.createTerminal({
			name: "macaw check --play",
			shellPath: program(),
			shellArgs: ["check", "--play", editor.document.fileName],
		});
		terminal.show();
	});
}

exports.activate = function (context) {
	context.subscriptions.push(vscode.commands.registerCommand("macaw.play", play));
	client = new LanguageClient(
		"macaw",
		"Macaw",
		{ command: program(), args: ["lsp"] },
		{ documentSelector: [{ language: "gdl" }] },
	);
	return client.start();
};

exports.deactivate = function () {
	return client ? client.stop() : undefined;
};
