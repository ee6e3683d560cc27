/* Two pages without any file beside them. What strangers wrote (names of matches, moves) is only ever set as text. */
#include "net/protocol/watch_page.h"

#include <string.h>

#define HEAD(title) \
	"<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">" \
	"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">" \
	"<meta name=\"color-scheme\" content=\"light dark\"><title>" title "</title><style>" \
	"body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}" \
	"table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.25rem .75rem .25rem 0;" \
	"border-bottom:1px solid #8884;vertical-align:top}code{overflow-wrap:anywhere}" \
	"</style></head><body><h1>" title "</h1><main aria-live=\"polite\"></main><script>" \
	"const main=document.querySelector('main');" \
	"function add(to,tag,text){const e=document.createElement(tag);if(text!==undefined)e.textContent=text;" \
	"to.append(e);return e}" \
	"function row(table,cells,tag){const r=add(table,'tr');for(const c of cells)add(r,tag||'td',c)}"

const char watch_page_player[] =
	HEAD("A player of Macaw") "function show(s){main.replaceChildren();"
							  "add(main,'p',s.name+' '+s.version+', player '+s.player+': '+s.status+'. "
							  "'+s.matches_begun+' matches begun, '"
							  "+s.messages+' messages, '+s.errors+' errors, '+s.late+' late answers.');"
							  "if(!s.matches.length)return;const t=add(main,'table');"
							  "row(t,['match','role','doing','step','clock','seconds','engine'],'th');"
							  "for(const m of s.matches)row(t,[m.match,m.role,m.doing,m.step,m.play_clock+' "
							  "s',Math.round(m.seconds),m.engine])}"
							  "async function look(){try{show(await(await fetch('/status')).json())}"
							  "catch{main.replaceChildren();add(main,'p','The player does not "
							  "answer.')}setTimeout(look,1000)}look();"
							  "</script></body></html>\n";

const char watch_page_match[] = HEAD(
	"A match") "let table;const e=new EventSource('/events');"
			   "e.addEventListener('start',m=>{const s=JSON.parse(m.data);main.replaceChildren();"
			   "add(main,'p',s.game+', match '+s.match+'. Clocks: '+s.start_clock+' and '+s.play_clock+' seconds.');"
			   "const who=add(main,'ul');s.roles.forEach((r,i)=>add(who,'li',r+': '+s.players[i]));"
			   "add(main,'p').id='now';table=add(main,'table');row(table,['step',...s.roles],'th');table.roles=s.roles}"
			   ");"
			   "e.addEventListener('state',m=>{const s=JSON.parse(m.data);"
			   "const now=document.getElementById('now');now.replaceChildren();add(now,'code',s.state.join(' '));"
			   "if(s.step)row(table,[s.step,...s.moves.map((move,i)=>move+(s.faults[i]?' ('+s.faults[i]+')':''))])});"
			   "e.addEventListener('end',m=>{const s=JSON.parse(m.data);"
			   "add(main,'p','The end after '+s.steps+' steps: '+table.roles.map(r=>r+' '+(r in "
			   "s.goals?s.goals[r]:'-')).join(', ')+'.')});"
			   "</script></body></html>\n";

bool watch_page_wanted(const char *accept)
{
	return accept && strstr(accept, "text/html");
}
