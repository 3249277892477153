import { describe, expect, it } from 'vitest'
import { renderDocument } from '../../../src/lib/text/document'

describe('renderDocument', () => {
  it('renders headings one level lower, lists, tables, code and links', () => {
    expect(renderDocument('# One\n\n## Two\n\n- a\n- [b](https://b.test "t")\n\n`<c>`')).toBe(
      '<h2>One</h2>\n<h3>Two</h3>\n<ul>\n<li>a</li>\n<li><a href="https://b.test" title="t">b</a></li>\n</ul>\n<p><code>&lt;c&gt;</code></p>',
    )
    expect(renderDocument('|a|\n|-|\n|b|')).toContain('<td>b</td>')
    expect(renderDocument('[rules](/about/rules) [below](#below)')).toContain('href="/about/rules"')
  })

  it.each([
    { source: '## One\n\n## Two', levels: [2, 2] },
    { source: '# One\n\n#### Deep\n\n## Next\n\n# Two', levels: [2, 3, 3, 2] },
    { source: '### One\n\n# Two\n\nThree\n-----', levels: [2, 2, 3] },
    { source: '# 1\n\n## 2\n\n### 3\n\n#### 4\n\n##### 5\n\n###### 6', levels: [2, 3, 4, 5, 6, 6] },
  ])('begins at the second level of headings and skips none: $levels', ({ source, levels }) => {
    const html = renderDocument(source)
    expect([...html.matchAll(/<h(\d)>/g)].map(([, level]) => Number(level))).toEqual(levels)
    expect([...html.matchAll(/<\/h(\d)>/g)].map(([, level]) => Number(level))).toEqual(levels)
  })

  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '[x](javascript:alert(1))',
    '[x](JAVA&#x0A;SCRIPT:alert(1))',
    '[x](data:text/html;base64,PHNjcmlwdD4=)',
    '![x](javascript:alert(1))',
    '<https://a.test/"onmouseover="alert(1)>',
    '[x]: javascript:alert(1)\n\n[x]',
    '`` ` </code><script> ``',
  ])('renderDocument runs no script: %s', (source) => {
    const html = renderDocument(source)
    expect(html).not.toMatch(/<(script|img|svg|iframe)/i)
    expect(html).not.toMatch(/<[^>]+\son\w+\s*=/i)
    expect(html).not.toMatch(/href="(?!https?:|\/|#)/i)
  })
})
