import { describe, expect, it } from 'vitest'
import { htmlToText, sanitiseHtml } from '../../src/lib/html'

const tex = (text: string) => `<annotation encoding="application/x-tex">${text}</annotation>`
const plain = (text: string) => `<annotation encoding="text/plain">${text}</annotation>`
const math = (inside: string, attributes = '') => `<math${attributes}><semantics>${inside}</semantics></math>`
const square = '<mrow><msup><mi>x</mi><mn>2</mn></msup></mrow>'

describe('a formula in HTML (FEP-dc88)', () => {
  it.each([
    ['in a line', math(square + tex('x^2')), '$x^2$'],
    ['as a block', math(square + tex(' x^2 '), ' display="block"'), '$$x^2$$'],
    ['with plain text alone', math(`<msqrt><mi>x</mi></msqrt>${plain('sqrt(x)')}`), 'sqrt(x)'],
    ['with plain text before TeX', math(`${square}${plain('x squared')}${tex('x^2')}`), '$x^2$'],
    ['that is never closed', `<math><semantics>${square}${tex('x^2')}`, '$x^2$'],
    ['with empty elements closed by a slash', math(`<mspace width="1em"/>${square}${tex('x')}`), '$x$'],
  ])('a formula in HTML (FEP-dc88) keeps its annotation: %s', (_case, html, expected) => {
    expect(sanitiseHtml(`<p>By ${html} we mean</p>`)).toMatch(`<p>By ${expected}`)
  })

  it.each([
    ['no annotation', `<math>${square}</math>`],
    ['an annotation without encoding', math(`${square}<annotation>x</annotation>`)],
    ['an annotation of another encoding', math('<annotation encoding="text/html">x</annotation>')],
    ['an annotation outside of semantics', `<math>${square}${tex('x')}</math>`],
    ['semantics that come second', `<math>${square}<semantics>${tex('x')}</semantics></math>`],
    ['an annotation of something inside', math(`<semantics>${tex('x')}</semantics>`)],
  ])('a formula is removed with %s', (_case, html) => {
    expect(sanitiseHtml(`<p>a${html}b</p>`)).toBe('<p>ab</p>')
  })

  it('a formula is escaped, whatever its content', () => {
    const hostile = math(`${tex('&lt;img src=x onerror=alert(1)&gt;<b>y</b><script>z</script>')}`)
    const clean = sanitiseHtml(hostile)
    expect(clean).toBe('$&lt;img src=x onerror=alert(1)&gt;yz$')
    expect(sanitiseHtml(clean)).toBe(clean)
    expect(sanitiseHtml(`<svg>${math(tex('x'))}</svg><script>${math(tex('x'))}</script>`)).toBe('')
    expect(sanitiseHtml(`<math>${math(tex('x'))}`.repeat(400))).toBe('')
    expect(sanitiseHtml(math(tex('x'.repeat(100_000))), { maxBytes: 1_000 })).toHaveLength(1_000)
  })

  it('a formula is part of the plain text', () => {
    expect(htmlToText(`<p>By ${math(square + tex('x^2'))} we mean</p>`)).toBe('By $x^2$ we mean')
  })
})
