import{b as a,c as b}from"./part-O3TGB4RF.js";import"./part-K5CDCIFC.js";import"./part-XKACXNK2.js";export{a as enhanceComposer,b as post};
