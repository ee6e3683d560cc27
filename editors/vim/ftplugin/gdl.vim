" Rules of games: `gq` lays out, `:make` checks, and the language server of macaw where the editor has a client.
if exists('b:did_ftplugin')
	finish
endif
let b:did_ftplugin = 1

setlocal commentstring=;\ %s comments=:;,:%
setlocal iskeyword=@,48-57,_,-,?,192-255
setlocal lisp lispwords=<=,or,and,not
setlocal noexpandtab shiftwidth=4 tabstop=4
setlocal formatprg=macaw\ format\ -
setlocal makeprg=macaw\ check\ %:S
setlocal errorformat=%f:%l:%c:\ %trror:\ %m,%f:%l:%c:\ %tarning:\ %m,%f:%l:%c:\ %tote:\ %m,%-G%.%#

if has('nvim')
	lua vim.lsp.start({ name = 'macaw', cmd = { 'macaw', 'lsp' }, root_dir = vim.fn.getcwd() })
elseif exists('*lsp#register_server') && !exists('g:macaw_lsp')
	let g:macaw_lsp = 1
	call lsp#register_server({'name': 'macaw', 'cmd': {info -> ['macaw', 'lsp']}, 'allowlist': ['gdl']})
endif

let b:undo_ftplugin = 'setlocal commentstring< comments< iskeyword< lisp< lispwords< expandtab< shiftwidth< tabstop<'
	\ . ' formatprg< makeprg< errorformat<'
