import { describe, expect, it } from 'vitest'
import { refusedCss } from '../../src/lib/css-rules'

describe('the CSS of an operator', () => {
  it.each([
    '',
    '/* nothing */',
    '.post { border-radius: 1rem; color: var(--text) !important }',
    '.post{&:hover{color:red};.line{margin:0}}',
    'a:hover, a:not(.button):is(:focus, :active) { color: color-mix(in oklab, var(--link) 80%, #fff) }',
    '@media (width < 40em) { .post { padding: 0 } }',
    '@supports (display: grid) { @media print { nav { display: none } } }',
    '@container (inline-size > 20rem) { .post { gap: 1px } }',
    '@keyframes turn { from { rotate: 0deg } to { rotate: 1turn } }',
    '.post::before { content: "url(https://elsewhere.test/) @import \\"x\\"" }',
    '/* url(https://elsewhere.test) @import "x"; */ a { color: red }',
    ':root { --mine: 1px; --list: a, b }',
    'a[href="https://elsewhere.test/"] { font-weight: 700 }',
  ])('accepts %j', (css) => {
    expect(refusedCss(css)).toBeNull()
  })

  it.each([
    ['a { background: url(https://elsewhere.test/x.png) }', 1, 'url(https://elsewhere.test/x.png)'],
    ['a { background: url("//elsewhere.test/x.png") }', 1, 'url('],
    ['a {\n  background: URL( /media/x.png ) }', 2, 'URL( /media/x.png )'],
    ['a { background: \\75rl(//elsewhere.test) }', 1, '\\75rl(//elsewhere.test)'],
    ['a { background: \\000075 rl("//elsewhere.test") }', 1, '\\000075 rl('],
    ['a { background: u\\r\\l("//elsewhere.test") }', 1, 'u\\r\\l('],
    ['a { background: u/**/rl(//elsewhere.test) }', 1, 'rl('],
    ['a { --x: url(//elsewhere.test) }', 1, 'url(//elsewhere.test)'],
    ['a { background: image-set("//elsewhere.test/x.png" 1x) }', 1, 'image-set('],
    ['a { background: -webkit-image-set("//elsewhere.test/x.png" 1x) }', 1, '-webkit-image-set('],
    ['a { background: \\69mage-set("x.png" 1x) }', 1, '\\69mage-set('],
    ['a { background: src("//elsewhere.test") }', 1, 'src('],
    ['a { --u: "//elsewhere.test"; background: src(var(--u)) }', 1, 'src('],
    ['a { background: image("x.png") }', 1, 'image('],
    ['a { background: cross-fade("x.png", "y.png") }', 1, 'cross-fade('],
    ['a { background: -moz-element(#x) }', 1, '-moz-element('],
    ['a { background: paint(x) }', 1, 'paint('],
    ['a { color: attr(data-x type(<url>)) }', 1, 'attr('],
    ['a { width: expression(alert(1)) }', 1, 'expression('],
    ['@import "https://elsewhere.test/x.css";', 1, '@import'],
    ['\n/* @import */\n@\\69mport "x.css";', 3, '@\\69mport'],
    ['@IMPORT url(x.css);', 1, '@IMPORT'],
    ['@charset "utf-8"; a { color: red }', 1, '@charset'],
    ['@namespace "x"; a { color: red }', 1, '@namespace'],
    ['@font-face { font-family: x; src: local("x") }', 1, '@font-face'],
    ['@font-face { src: url(//elsewhere.test/x.woff2) }', 1, '@font-face'],
    ['@layer tokens { :root { --ground: #fff } }', 1, '@layer'],
    ['@property --x { syntax: "<url>"; inherits: false }', 1, '@property'],
    ['@document url-prefix("") { a { color: red } }', 1, '@document'],
    ['@future { a { color: red } }', 1, '@future'],
    ['a { color: red } <!-- b { color: red } -->', 1, '<!--'],
    ['a { content: "</style><script>alert(1)</script>" }', 1, '</'],
    ['a { color: red }\n</style>', 2, '</'],
    ['a { background: url(x\n"y) }', 1, 'url(x\n"y)'],
  ])('refuses %j, and says so about line %i', (css, line, part) => {
    expect(refusedCss(css)).toEqual({ kind: 'forbidden', line, part })
  })

  it.each([
    ['color: red', 1],
    ['a { color red }', 1],
    ['a { color: }', 1],
    ['a { color: red;\n  b }', 2],
    ['a { color: red', 1],
    ['a { color: red }\n}', 2],
    ['a { color: red } }\nb { color: red }', 1],
    ['a { color: rgb(1 2 3 }', 1],
    ['a { content: "not closed\n}', 1],
    ['a { color: red } /* not closed', 1],
    ['{ color: red }', 1],
    ['@media print;', 1],
    ['a;\nb { color: red }', 1],
    ['a { : red }', 1],
    ['a { color: red \\', 1],
    [`${'('.repeat(30_000)}`, 1],
    [`${'a{'.repeat(10_000)}${'}'.repeat(10_000)}`, 1],
  ])('refuses what cannot be read in %j, in line %i', (css, line) => {
    expect(refusedCss(css)).toMatchObject({ kind: 'unreadable', line })
  })
})
