import{b as a,c as b}from"./part-LGVCCY54.js";import"./part-XKH6ETYM.js";import"./part-XKACXNK2.js";export{a as enhanceComposer,b as post};
