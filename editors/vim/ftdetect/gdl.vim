" Rules of games: prefix form (.kif) and infix form (.gdl).
autocmd BufNewFile,BufRead *.kif,*.gdl setfiletype gdl
