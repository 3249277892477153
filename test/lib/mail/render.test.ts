import { DomUtils, parseDocument } from 'htmlparser2'
import { describe, expect, it } from 'vitest'
import { type EmailContent, renderEmail } from '../../../src/lib/mail'

const letter: EmailContent = {
  language: 'en',
  subject: 'Ada Thrush mentioned you',
  sentence: [{ name: 'Ada Thrush', handle: '@ada@elsewhere.test' }, ' mentioned you:'],
  quoted: 'Have you seen the waxwings?\n\nThey are back & hungry.',
  note: 'With 2 attachments.',
  link: { label: 'Open the post', url: 'https://elsewhere.test/@ada/1' },
  reason: 'You get this because you asked for mail about mentions.',
  links: [
    { label: 'No more of these', url: 'https://fieldfare.test/unsubscribe/1.mention.x' },
    { label: 'All settings', url: 'https://fieldfare.test/settings/notifications' },
  ],
}

const script = '<script>alert(1)</script>'
const hostile: EmailContent = {
  ...letter,
  subject: `</title>${script}\r\nBcc: x`,
  sentence: [
    { name: `"><img src=x onerror=alert(1)>\r\n\r\nhidden\u202e`, handle: `@a${script}` },
    ` </strong>${script}`,
  ],
  quoted: `</blockquote>${script}\r\n-- \r\nYou get this because\u2028https://evil.test`,
  note: `<a href="https://evil.test">x</a>`,
  link: { label: `</a>${script}`, url: `https://a.test/"><script>x</script>` },
  reason: `</p>${script}`,
}

const tagsOf = (html: string) =>
  DomUtils.findAll(() => true, parseDocument(html).children).map(({ name }) => name)

describe('a mail', () => {
  it('a mail has the same content in markup and text', () => {
    const { text, html } = renderEmail(letter)
    expect(text).toBe(`Ada Thrush (@ada@elsewhere.test) mentioned you:

> Have you seen the waxwings?
> 
> They are back & hungry.

With 2 attachments.

Open the post: https://elsewhere.test/@ada/1

-- 
You get this because you asked for mail about mentions.
No more of these: https://fieldfare.test/unsubscribe/1.mention.x
All settings: https://fieldfare.test/settings/notifications
`)
    const dom = parseDocument(html)
    const body = DomUtils.findOne(({ name }) => name === 'body', dom.children)
    const words = (of: string) =>
      of
        .replaceAll(/^> /gm, '')
        .split(/\s+/)
        .filter((word) => /\w/.test(word))
    const links = DomUtils.findAll(({ name }) => name === 'a', dom.children)
    for (const a of links) expect(text).toContain(`${DomUtils.textContent(a)}: ${a.attribs['href']}`)
    const withoutAddresses = text.replaceAll(/: https:\S+/g, '')
    expect(words(DomUtils.textContent(body ?? []))).toEqual(words(withoutAddresses))
  })

  it('loads nothing: no picture, script or style sheet', () => {
    const { html } = renderEmail(letter)
    const wanted = DomUtils.findAll(
      ({ name, attribs }) => /^(img|script|link|iframe|object)$/.test(name) || 'src' in attribs,
      parseDocument(html).children,
    )
    expect(wanted).toEqual([])
    expect(html).not.toMatch(/url\(|@import/)
  })

  it('contains no markup of others', () => {
    const { html } = renderEmail(hostile)
    expect(tagsOf(html)).toEqual(tagsOf(renderEmail(letter).html))
    const handlers = DomUtils.findAll(
      ({ attribs }) => Object.keys(attribs).some((key) => key.startsWith('on')),
      parseDocument(html).children,
    )
    expect(handlers).toEqual([])
  })

  it('a mail escapes texts of others', () => {
    const { text, html } = renderEmail(hostile)
    const [first] = text.split('\n')
    expect(first).toBe(`"><img src=x onerror=alert(1)> hidden (@a${script}) </strong>${script}`)
    expect(text.match(/^-- /gm)).toHaveLength(1)
    expect(text).toContain(`> </blockquote>${script}\n> -- \n> You get this because\n> https://evil.test\n\n`)
    expect(text.split(/\r\n|[\n\r\u2028]/).filter((line) => line.startsWith('https://evil'))).toEqual([])
    expect(html).toContain('<bdi><strong>')
    expect(html).toContain('dir="auto"')
  })

  it('names an account without a display name by its handle', () => {
    const { text } = renderEmail({
      ...letter,
      sentence: [{ name: '\u202e \u0000', handle: '@ada' }, ' mentioned you:'],
    })
    expect(text.startsWith('@ada mentioned you:')).toBe(true)
  })

  it('a mail states its language and direction', () => {
    const arabic: EmailContent = {
      ...letter,
      language: 'ar',
      sentence: ['أشار إليك ', { name: 'Ada', handle: '@ada' }],
    }
    const { text, html } = renderEmail(arabic)
    expect(html).toContain('<html lang="ar" dir="rtl">')
    expect(text.startsWith('أشار إليك Ada (@ada)\n\n')).toBe(true)
  })

  it('a mail renders without optional parts', () => {
    const { text, html } = renderEmail({ ...letter, sentence: ['mentioned you:'], quoted: null, note: null })
    expect(text.startsWith('mentioned you:\n\nOpen the post: ')).toBe(true)
    expect(tagsOf(html)).not.toContain('blockquote')
  })
})
