import{b as a,c as b}from"./part-NLC4EGH4.js";import"./part-UZUOQPMO.js";import"./part-XKACXNK2.js";export{a as enhanceComposer,b as post};
