" Rules of games in both forms.
if exists('b:current_syntax')
	finish
endif

syntax case ignore
syntax keyword gdlKeyword role init true does next legal goal terminal sees base input not or and distinct
syntax case match
syntax match gdlArrow /<=\|:-\|<-/
syntax match gdlVariable /?[^[:space:]();]\+/
syntax match gdlNumber /\<[0-9]\+\>/
syntax region gdlQuoted start=/'/ skip=/\\./ end=/'/ oneline
syntax match gdlComment /;.*$/
syntax match gdlComment /%.*$/
syntax region gdlComment start=+/\*+ end=+\*/+

highlight default link gdlKeyword Keyword
highlight default link gdlArrow Operator
highlight default link gdlVariable Identifier
highlight default link gdlNumber Number
highlight default link gdlQuoted String
highlight default link gdlComment Comment

let b:current_syntax = 'gdl'
