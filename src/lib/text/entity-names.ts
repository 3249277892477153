/**
 * The names that the HTML standard gives to characters, in the order of their code points (section 13.5).
 *
 * A number passes over so many code points without names; commas stand between the names of one character; a name
 * with a tilde counts without its semicolon, too. A `+` and a code point in hexadecimal begin the pairs that end
 * with it, and what follows counts from 0 again. So written they take half the bytes of a packed tree in the bundle.
 */
export const ENTITY_NAMES = `9 Tab NewLine 22 excl QUOT~,quot~ num dollar percnt AMP~,amp~ apos lpar rpar ast,midast plus comma 1 period
sol 10 colon semi LT~,lt~ equals GT~,gt~ quest commat 26 lbrack,lsqb bsol rbrack,rsqb Hat UnderBar,lowbar
DiacriticalGrave,grave 26 lbrace,lcub VerticalLine,verbar,vert rbrace,rcub 34 nbsp~,NonBreakingSpace iexcl~
cent~ pound~ curren~ yen~ brvbar~ sect~ uml~,Dot,DoubleDot,die COPY~,copy~ ordf~ laquo~ not~ shy~
REG~,reg~,circledR macr~,strns deg~ plusmn~,PlusMinus,pm sup2~ sup3~ acute~,DiacriticalAcute micro~ para~
middot~,CenterDot,centerdot cedil~,Cedilla sup1~ ordm~ raquo~ frac14~ frac12~,half frac34~ iquest~ Agrave~
Aacute~ Acirc~ Atilde~ Auml~ Aring~,angst AElig~ Ccedil~ Egrave~ Eacute~ Ecirc~ Euml~ Igrave~ Iacute~ Icirc~
Iuml~ ETH~ Ntilde~ Ograve~ Oacute~ Ocirc~ Otilde~ Ouml~ times~ Oslash~ Ugrave~ Uacute~ Ucirc~ Uuml~ Yacute~
THORN~ szlig~ agrave~ aacute~ acirc~ atilde~ auml~ aring~ aelig~ ccedil~ egrave~ eacute~ ecirc~ euml~
igrave~ iacute~ icirc~ iuml~ eth~ ntilde~ ograve~ oacute~ ocirc~ otilde~ ouml~ divide~,div oslash~ ugrave~
uacute~ ucirc~ uuml~ yacute~ thorn~ yuml~ Amacr amacr Abreve abreve Aogon aogon Cacute cacute Ccirc ccirc
Cdot cdot Ccaron ccaron Dcaron dcaron Dstrok dstrok Emacr emacr 2 Edot edot Eogon eogon Ecaron ecaron Gcirc
gcirc Gbreve gbreve Gdot gdot Gcedil 1 Hcirc hcirc Hstrok hstrok Itilde itilde Imacr imacr 2 Iogon iogon
Idot imath,inodot IJlig ijlig Jcirc jcirc Kcedil kcedil kgreen Lacute lacute Lcedil lcedil Lcaron lcaron
Lmidot lmidot Lstrok lstrok Nacute nacute Ncedil ncedil Ncaron ncaron napos ENG eng Omacr omacr 2 Odblac
odblac OElig oelig Racute racute Rcedil rcedil Rcaron rcaron Sacute sacute Scirc scirc Scedil scedil Scaron
scaron Tcedil tcedil Tcaron tcaron Tstrok tstrok Utilde utilde Umacr umacr Ubreve ubreve Uring uring Udblac
udblac Uogon uogon Wcirc wcirc Ycirc ycirc Yuml Zacute zacute Zdot zdot Zcaron zcaron 19 fnof 34 imped 63
gacute 65 jmath 142 circ Hacek,caron 16 Breve,breve DiacriticalDot,dot ring ogon DiacriticalTilde,tilde
DiacriticalDoubleAcute,dblac 51 DownBreve 127 Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa
Lambda Mu Nu Xi Omicron Pi Rho 1 Sigma Tau Upsilon Phi Chi Psi Omega,ohm 7 alpha beta gamma delta
epsi,epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf,sigmav,varsigma sigma tau
upsi,upsilon phi chi psi omega 7 thetasym,thetav,vartheta Upsi,upsih 2 phiv,straightphi,varphi piv,varpi 5
Gammad digamma,gammad 18 kappav,varkappa rhov,varrho 3 epsiv,straightepsilon,varepsilon backepsilon,bepsi 10
IOcy DJcy GJcy Jukcy DScy Iukcy YIcy Jsercy LJcy NJcy TSHcy KJcy 1 Ubrcy DZcy Acy Bcy Vcy Gcy Dcy IEcy ZHcy
Zcy Icy Jcy Kcy Lcy Mcy Ncy Ocy Pcy Rcy Scy Tcy Ucy Fcy KHcy TScy CHcy SHcy SHCHcy HARDcy Ycy SOFTcy Ecy
YUcy YAcy acy bcy vcy gcy dcy iecy zhcy zcy icy jcy kcy lcy mcy ncy ocy pcy rcy scy tcy ucy fcy khcy tscy
chcy shcy shchcy hardcy ycy softcy ecy yucy yacy 1 iocy djcy gjcy jukcy dscy iukcy yicy jsercy ljcy njcy
tshcy kjcy 1 ubrcy dzcy 7074 ensp emsp emsp13 emsp14 1 numsp puncsp ThinSpace,thinsp VeryThinSpace,hairsp
NegativeMediumSpace,NegativeThickSpace,NegativeThinSpace,NegativeVeryThinSpace,ZeroWidthSpace zwnj zwj lrm
rlm dash,hyphen 2 ndash mdash horbar Verbar,Vert 1 OpenCurlyQuote,lsquo CloseCurlyQuote,rsquo,rsquor
lsquor,sbquo 1 OpenCurlyDoubleQuote,ldquo CloseCurlyDoubleQuote,rdquo,rdquor bdquo,ldquor 1 dagger
Dagger,ddagger bull,bullet 2 nldr hellip,mldr 9 permil pertenk prime Prime tprime backprime,bprime 3 lsaquo
rsaquo 3 OverBar,oline 2 caret 1 hybull frasl 10 bsemi 7 qprime 7 MediumSpace NoBreak ApplyFunction,af
InvisibleTimes,it InvisibleComma,ic 72 euro 46 TripleDot,tdot DotDot 37 Copf,complexes 2 incare 4 gscr
HilbertSpace,Hscr,hamilt Hfr,Poincareplane Hopf,quaternions planckh hbar,hslash,planck,plankv Iscr,imagline
Ifr,Im,image,imagpart Laplacetrf,Lscr,lagran ell 1 Nopf,naturals numero copysr weierp,wp Popf,primes
Qopf,rationals Rscr,realine Re,Rfr,real,realpart Ropf,reals rx 3 TRADE,trade 1 Zopf,integers 2 mho
Zfr,zeetrf iiota 2 Bernoullis,Bscr,bernou Cayleys,Cfr 1 escr Escr,expectation Fouriertrf,Fscr 1
Mellintrf,Mscr,phmmat order,orderof,oscr alefsym,aleph beth gimel daleth 12 CapitalDifferentialD,DD
DifferentialD,dd ExponentialE,ee,exponentiale ImaginaryI,ii 10 frac13 frac23 frac15 frac25 frac35 frac45
frac16 frac56 frac18 frac38 frac58 frac78 49 LeftArrow,ShortLeftArrow,larr,leftarrow,slarr
ShortUpArrow,UpArrow,uarr,uparrow RightArrow,ShortRightArrow,rarr,rightarrow,srarr
DownArrow,ShortDownArrow,darr,downarrow LeftRightArrow,harr,leftrightarrow UpDownArrow,updownarrow,varr
UpperLeftArrow,nwarr,nwarrow UpperRightArrow,nearr,nearrow LowerRightArrow,searr,searrow
LowerLeftArrow,swarr,swarrow nlarr,nleftarrow nrarr,nrightarrow 1 rarrw,rightsquigarrow
Larr,twoheadleftarrow Uarr Rarr,twoheadrightarrow Darr larrtl,leftarrowtail rarrtl,rightarrowtail
LeftTeeArrow,mapstoleft UpTeeArrow,mapstoup RightTeeArrow,map,mapsto DownTeeArrow,mapstodown 1
hookleftarrow,larrhk hookrightarrow,rarrhk larrlp,looparrowleft looparrowright,rarrlp
harrw,leftrightsquigarrow nharr,nleftrightarrow 1 Lsh,lsh Rsh,rsh ldsh rdsh 1 crarr cularr,curvearrowleft
curarr,curvearrowright 2 circlearrowleft,olarr circlearrowright,orarr LeftVector,leftharpoonup,lharu
DownLeftVector,leftharpoondown,lhard RightUpVector,uharr,upharpoonright LeftUpVector,uharl,upharpoonleft
RightVector,rharu,rightharpoonup DownRightVector,rhard,rightharpoondown
RightDownVector,dharr,downharpoonright LeftDownVector,dharl,downharpoonleft
RightArrowLeftArrow,rightleftarrows,rlarr UpArrowDownArrow,udarr LeftArrowRightArrow,leftrightarrows,lrarr
leftleftarrows,llarr upuparrows,uuarr rightrightarrows,rrarr ddarr,downdownarrows
ReverseEquilibrium,leftrightharpoons,lrhar Equilibrium,rightleftharpoons,rlhar nLeftarrow,nlArr
nLeftrightarrow,nhArr nRightarrow,nrArr DoubleLeftArrow,Leftarrow,lArr DoubleUpArrow,Uparrow,uArr
DoubleRightArrow,Implies,Rightarrow,rArr DoubleDownArrow,Downarrow,dArr
DoubleLeftRightArrow,Leftrightarrow,hArr,iff DoubleUpDownArrow,Updownarrow,vArr nwArr neArr seArr swArr
Lleftarrow,lAarr Rrightarrow,rAarr 1 zigrarr 6 LeftArrowBar,larrb RightArrowBar,rarrb 15
DownArrowUpArrow,duarr 7 loarr roarr hoarr ForAll,forall comp,complement PartialD,part Exists,exist
NotExists,nexist,nexists empty,emptyset,emptyv,varnothing 1 Del,nabla Element,in,isin,isinv
NotElement,notin,notinva 1 ReverseElement,SuchThat,ni,niv NotReverseElement,notni,notniva 2 Product,prod
Coproduct,coprod Sum,sum minus MinusPlus,mnplus,mp dotplus,plusdo 1
Backslash,setminus,setmn,smallsetminus,ssetmn lowast SmallCircle,compfn 1 Sqrt,radic 2
Proportional,prop,propto,varpropto,vprop infin angrt ang,angle angmsd,measuredangle angsph
VerticalBar,mid,shortmid,smid NotVerticalBar,nmid,nshortmid,nsmid
DoubleVerticalBar,par,parallel,shortparallel,spar NotDoubleVerticalBar,npar,nparallel,nshortparallel,nspar
and,wedge or,vee cap cup Integral,int Int iiint,tint ContourIntegral,conint,oint
Conint,DoubleContourIntegral Cconint cwint ClockwiseContourIntegral,cwconint
CounterClockwiseContourIntegral,awconint Therefore,there4,therefore Because,becaus,because ratio
Colon,Proportion dotminus,minusd 1 mDDot homtht Tilde,sim,thicksim,thksim backsim,bsim ac,mstpos acd
VerticalTilde,wr,wreath NotTilde,nsim EqualTilde,eqsim,esim TildeEqual,sime,simeq NotTildeEqual,nsime,nsimeq
TildeFullEqual,cong simne NotTildeFullEqual,ncong TildeTilde,ap,approx,asymp,thickapprox,thkap
NotTildeTilde,nap,napprox ape,approxeq apid backcong,bcong CupCap,asympeq Bumpeq,HumpDownHump,bump
HumpEqual,bumpe,bumpeq DotEqual,doteq,esdot doteqdot,eDot efDot,fallingdotseq erDot,risingdotseq
Assign,colone,coloneq ecolon,eqcolon ecir,eqcirc circeq,cire 1 wedgeq veeeq 1 triangleq,trie 2
equest,questeq NotEqual,ne Congruent,equiv NotCongruent,nequiv 1 le,leq GreaterEqual,ge,geq
LessFullEqual,lE,leqq GreaterFullEqual,gE,geqq lnE,lneqq gnE,gneqq Lt,NestedLessLess,ll
Gt,NestedGreaterGreater,gg between,twixt NotCupCap NotLess,nless,nlt NotGreater,ngt,ngtr
NotLessEqual,nle,nleq NotGreaterEqual,nge,ngeq LessTilde,lesssim,lsim GreaterTilde,gsim,gtrsim
NotLessTilde,nlsim NotGreaterTilde,ngsim LessGreater,lessgtr,lg GreaterLess,gl,gtrless NotLessGreater,ntlg
NotGreaterLess,ntgl Precedes,pr,prec Succeeds,sc,succ PrecedesSlantEqual,prcue,preccurlyeq
SucceedsSlantEqual,sccue,succcurlyeq PrecedesTilde,precsim,prsim SucceedsTilde,scsim,succsim
NotPrecedes,npr,nprec NotSucceeds,nsc,nsucc sub,subset Superset,sup,supset nsub nsup
SubsetEqual,sube,subseteq SupersetEqual,supe,supseteq NotSubsetEqual,nsube,nsubseteq
NotSupersetEqual,nsupe,nsupseteq subne,subsetneq supne,supsetneq 1 cupdot UnionPlus,uplus
SquareSubset,sqsub,sqsubset SquareSuperset,sqsup,sqsupset SquareSubsetEqual,sqsube,sqsubseteq
SquareSupersetEqual,sqsupe,sqsupseteq SquareIntersection,sqcap SquareUnion,sqcup CirclePlus,oplus
CircleMinus,ominus CircleTimes,otimes osol CircleDot,odot circledcirc,ocir circledast,oast 1
circleddash,odash boxplus,plusb boxminus,minusb boxtimes,timesb dotsquare,sdotb RightTee,vdash LeftTee,dashv
DownTee,top UpTee,bot,bottom,perp 1 models DoubleRightTee,vDash Vdash Vvdash VDash nvdash nvDash nVdash
nVDash prurel 1 LeftTriangle,vartriangleleft,vltri RightTriangle,vartriangleright,vrtri
LeftTriangleEqual,ltrie,trianglelefteq RightTriangleEqual,rtrie,trianglerighteq origof imof multimap,mumap
hercon intcal,intercal veebar 1 barvee angrtvb lrtri Wedge,bigwedge,xwedge Vee,bigvee,xvee
Intersection,bigcap,xcap Union,bigcup,xcup Diamond,diam,diamond sdot Star,sstarf divideontimes,divonx bowtie
ltimes rtimes leftthreetimes,lthree rightthreetimes,rthree backsimeq,bsime curlyvee,cuvee curlywedge,cuwed
Sub,Subset Sup,Supset Cap Cup fork,pitchfork epar lessdot,ltdot gtdot,gtrdot Ll Gg,ggg
LessEqualGreater,leg,lesseqgtr GreaterEqualLess,gel,gtreqless 2 cuepr,curlyeqprec cuesc,curlyeqsucc
NotPrecedesSlantEqual,nprcue NotSucceedsSlantEqual,nsccue NotSquareSubsetEqual,nsqsube
NotSquareSupersetEqual,nsqsupe 2 lnsim gnsim precnsim,prnsim scnsim,succnsim
NotLeftTriangle,nltri,ntriangleleft NotRightTriangle,nrtri,ntriangleright
NotLeftTriangleEqual,nltrie,ntrianglelefteq NotRightTriangleEqual,nrtrie,ntrianglerighteq vellip ctdot utdot
dtdot disin isinsv isins isindot notinvc notinvb 1 isinE nisd xnis nis notnivc notnivb 6 barwed,barwedge
Barwed,doublebarwedge 1 LeftCeiling,lceil RightCeiling,rceil LeftFloor,lfloor RightFloor,rfloor drcrop
dlcrop urcrop ulcrop bnot 1 profline profsurf 1 telrec target 5 ulcorn,ulcorner urcorn,urcorner
dlcorn,llcorner drcorn,lrcorner 2 frown,sfrown smile,ssmile 9 cylcty profalar 7 topbot 6 ovbar 1 solbar 60
angzarr 51 lmoust,lmoustache rmoust,rmoustache 2 OverBracket,tbrk UnderBracket,bbrk bbrktbrk 37
OverParenthesis UnderParenthesis OverBrace UnderBrace 2 trpezium 4 elinters 59 blank 164 circledS,oS 55
HorizontalLine,boxh 1 boxv 9 boxdr 3 boxdl 3 boxur 3 boxul 3 boxvr 7 boxvl 7 boxhd 7 boxhu 7 boxvh 19 boxH
boxV boxdR boxDr boxDR boxdL boxDl boxDL boxuR boxUr boxUR boxuL boxUl boxUL boxvR boxVr boxVR boxvL boxVl
boxVL boxHd boxhD boxHD boxHu boxhU boxHU boxvH boxVh boxVH 19 uhblk 3 lhblk 3 block 8 blk14 blk12 blk34 13
Square,squ,square 8 FilledVerySmallSquare,blacksquare,squarf,squf EmptyVerySmallSquare 1 rect marker 2 fltns
1 bigtriangleup,xutri blacktriangle,utrif triangle,utri 2 blacktriangleright,rtrif rtri,triangleright 3
bigtriangledown,xdtri blacktriangledown,dtrif dtri,triangledown 2 blacktriangleleft,ltrif ltri,triangleleft
6 loz,lozenge cir 32 tridot 2 bigcirc,xcirc 8 ultri urtri lltri EmptySmallSquare FilledSmallSquare 8
bigstar,starf star 7 phone 49 female 1 male 29 spades,spadesuit 2 clubs,clubsuit 1 hearts,heartsuit
diamondsuit,diams 3 sung 2 flat natur,natural sharp 163 check,checkmark 3 cross 8 malt,maltese 21 sext 33
VerticalSeparator 25 lbbrk rbbrk 84 bsolhsub suphsol 28 LeftDoubleBracket,lobrk RightDoubleBracket,robrk
LeftAngleBracket,lang,langle RightAngleBracket,rang,rangle Lang Rang loang roang 7
LongLeftArrow,longleftarrow,xlarr LongRightArrow,longrightarrow,xrarr
LongLeftRightArrow,longleftrightarrow,xharr DoubleLongLeftArrow,Longleftarrow,xlArr
DoubleLongRightArrow,Longrightarrow,xrArr DoubleLongLeftRightArrow,Longleftrightarrow,xhArr 1
longmapsto,xmap 2 dzigrarr 258 nvlArr nvrArr nvHarr Map 6 lbarr bkarow,rbarr lBarr dbkarow,rBarr
RBarr,drbkarow DDotrahd UpArrowBar DownArrowBar 2 Rarrtl 2 latail ratail lAtail rAtail larrfs rarrfs larrbfs
rarrbfs 2 nwarhk nearhk hksearow,searhk hkswarow,swarhk nwnear nesear,toea seswar,tosa swnwar 8 rarrc 1
cudarrr ldca rdca cudarrl larrpl 2 curarrm cularrp 7 rarrpl 2 harrcir Uarrocir lurdshar ldrushar 2
LeftRightVector RightUpDownVector DownLeftRightVector LeftUpDownVector LeftVectorBar RightVectorBar
RightUpVectorBar RightDownVectorBar DownLeftVectorBar DownRightVectorBar LeftUpVectorBar LeftDownVectorBar
LeftTeeVector RightTeeVector RightUpTeeVector RightDownTeeVector DownLeftTeeVector DownRightTeeVector
LeftUpTeeVector LeftDownTeeVector lHar uHar rHar dHar luruhar ldrdhar ruluhar rdldhar lharul llhard rharul
lrhard UpEquilibrium,udhar ReverseUpEquilibrium,duhar RoundImplies erarr simrarr larrsim rarrsim rarrap
ltlarr 1 gtrarr subrarr 1 suplarr lfisht rfisht ufisht dfisht 5 lopar ropar 4 lbrke rbrke lbrkslu rbrksld
lbrksld rbrkslu langd rangd lparlt rpargt gtlPar ltrPar 3 vzigzag 1 vangrt angrtvbd 6 ange range dwangle
uwangle angmsdaa angmsdab angmsdac angmsdad angmsdae angmsdaf angmsdag angmsdah bemptyv demptyv cemptyv
raemptyv laemptyv ohbar omid opar 1 operp 1 olcross odsold 1 olcir ofcir olt ogt cirscir cirE solb bsolb 3
boxbox 3 trisb rtriltri LeftTriangleBar RightTriangleBar 11 iinfin infintie nvinfin 4 eparsl smeparsl
eqvparsl 5 blacklozenge,lozf 8 RuleDelayed 1 dsol 9 bigodot,xodot bigoplus,xoplus bigotimes,xotime 1
biguplus,xuplus 1 bigsqcup,xsqcup 5 iiiint,qint fpartint 2 cirfnint awint rppolint scpolint npolint pointint
quatint intlarhk 10 pluscir plusacir simplus plusdu plussim plustwo 1 mcomma minusdu 2 loplus roplus Cross
timesd timesbar 1 smashp lotimes rotimes otimesas Otimes odiv triplus triminus tritime intprod,iprod 2 amalg
capdot 1 ncup ncap capand cupor cupcap capcup cupbrcap capbrcup cupcup capcap ccups ccaps 2 ccupssm 2 And Or
andand oror orslope andslope 1 andv orv andd ord 1 wedbar 6 sdote 3 simdot 2 congdot easter apacir apE eplus
pluse Esim Colone Equal 1 ddotseq,eDDot equivDD ltcir gtcir ltquest gtquest LessSlantEqual,leqslant,les
GreaterSlantEqual,geqslant,ges lesdot gesdot lesdoto gesdoto lesdotor gesdotol lap,lessapprox gap,gtrapprox
lne,lneq gne,gneq lnap,lnapprox gnap,gnapprox lEg,lesseqqgtr gEl,gtreqqless lsime gsime lsimg gsiml lgE glE
lesges gesles els,eqslantless egs,eqslantgtr elsdot egsdot el eg 2 siml simg simlE simgE LessLess
GreaterGreater 1 glj gla ltcc gtcc lescc gescc smt lat smte late bumpE PrecedesEqual,pre,preceq
SucceedsEqual,sce,succeq 2 prE scE precneqq,prnE scnE,succneqq prap,precapprox scap,succapprox
precnapprox,prnap scnap,succnapprox Pr Sc subdot supdot subplus supplus submult supmult subedot supedot
subE,subseteqq supE,supseteqq subsim supsim 2 subnE,subsetneqq supnE,supsetneqq 2 csub csup csube csupe
subsup supsub subsub supsup suphsub supdsub forkv topfork mlcp 8 Dashv,DoubleLeftTee 1 Vdashl Barv vBar
vBarv 1 Vbar Not bNot rnmid cirmid midcir topcir nhpar parsim 9 parsl 53250 fflig filig fllig ffilig ffllig
55703 Ascr 1 Cscr Dscr 2 Gscr 2 Jscr Kscr 2 Nscr Oscr Pscr Qscr 1 Sscr Tscr Uscr Vscr Wscr Xscr Yscr Zscr
ascr bscr cscr dscr 1 fscr 1 hscr iscr jscr kscr lscr mscr nscr 1 pscr qscr rscr sscr tscr uscr vscr wscr
xscr yscr zscr 52 Afr Bfr 1 Dfr Efr Ffr Gfr 2 Jfr Kfr Lfr Mfr Nfr Ofr Pfr Qfr 1 Sfr Tfr Ufr Vfr Wfr Xfr Yfr
1 afr bfr cfr dfr efr ffr gfr hfr ifr jfr kfr lfr mfr nfr ofr pfr qfr rfr sfr tfr ufr vfr wfr xfr yfr zfr
Aopf Bopf 1 Dopf Eopf Fopf Gopf 1 Iopf Jopf Kopf Lopf Mopf 1 Oopf 3 Sopf Topf Uopf Vopf Wopf Xopf Yopf 1
aopf bopf copf dopf eopf fopf gopf hopf iopf jopf kopf lopf mopf nopf oopf popf qopf ropf sopf topf uopf
vopf wopf xopf yopf zopf
+20d2 60 nvlt 1 nvgt 8673 nang 27 nvsim 16 nvap 22 nvle nvge 4 nLt nGt 22 NotSubset,nsubset,vnsub
NotSuperset,nsupset,vnsup 48 nvltrie nvrtrie
+20e5 61 bne 8739 bnequiv 2203 nparsl
+6a 102 fjlig
+200a 8287 ThickSpace
+338 8605 nrarrw 100 npart 63 NotEqualTilde,nesim 8 napid 2 NotHumpDownHump,nbump NotHumpEqual,nbumpe nedot
21 nlE,nleqq NotGreaterFullEqual,ngE,ngeqq 2 NotLessLess,nLtv NotGreaterGreater,nGtv 19 NotSucceedsTilde 15
NotSquareSubset NotSquareSuperset 71 nLl nGg 27 notindot 3 notinE 1593 nrarrc 155 NotLeftTriangleBar
NotRightTriangleBar 156 ncongdot 2 napE 12 NotLessSlantEqual,nleqslant,nles
NotGreaterSlantEqual,ngeqslant,nges 34 NotNestedLessLess NotNestedGreaterGreater 12
NotPrecedesEqual,npre,npreceq NotSucceedsEqual,nsce,nsucceq 20 nsubE,nsubseteqq nsupE,nsupseteqq
+fe00 8745 caps cups 61 lvertneqq,lvnE gvertneqq,gvnE 32 varsubsetneq,vsubne varsupsetneq,vsupne 7 sqcaps
sqcups 69 lesg gesl 2000 smtes lates 29 varsubsetneqq,vsubnE varsupsetneqq,vsupnE
+331 8765 race
+333 8766 acE`
