import { DomUtils, parseDocument } from 'htmlparser2'
import { describe, expect, it } from 'vitest'
import { allScopes } from '../../src/domain/sessions/scopes'
import { assetPath, partPaths } from '../../src/lib/assets'
import { groupScopes } from '../../src/web/scope-texts'
import { checkEach } from '../support/check-each'
import { everyPage, harmless, type NamedPage, type StrangersWords } from './every-page'

const script = '<script>alert(1)</script>'

const hostile: StrangersWords = {
  applicationName: `App ${script}`,
  website: 'javascript:alert(1)',
  displayName: `"><img src=x onerror=alert(1)>`,
  username: `"${script}`,
  reason: `</textarea>${script}`,
  email: `"><b>@example.org`,
  code: `</code>${script}`,
}

type Dom = ReturnType<typeof parseDocument>

const parsed = new Map<NamedPage, Promise<Dom>>()

/** The elements of a page, read once for all rules. */
function parse(named: NamedPage): Promise<Dom> {
  const known = parsed.get(named) ?? Promise.resolve(named.page).then((page) => parseDocument(`${page}`))
  parsed.set(named, known)
  return known
}

/** Elements of the page that pass a test; the type is inferred because htmlparser2 does not export it. */
function elements(dom: Dom, test: (name: string, attributes: Record<string, string>) => boolean) {
  return DomUtils.findAll(({ name, attribs }) => test(name, attribs), dom.children)
}

function byName(dom: Dom, wanted: string) {
  return elements(dom, (name) => name === wanted)
}

function fields(dom: Dom) {
  return elements(
    dom,
    (name, { type }) => (name === 'input' && type !== 'hidden') || name === 'textarea' || name === 'select',
  )
}

function ids(dom: Dom): readonly string[] {
  return elements(dom, (_, attributes) => 'id' in attributes).map(({ attribs }) => attribs['id'] ?? '')
}

const pages = everyPage(harmless)

const ofPage = { name: ({ name }: NamedPage) => `the page ${name}` }

describe('every page', () => {
  it('every page is a standards-mode document with a language, a title and one main heading', async () => {
    await checkEach(pages, ofPage, async (named) => {
      expect(`${await named.page}`.slice(0, 15)).toBe('<!DOCTYPE html>')
      const dom = await parse(named)

      expect(byName(dom, 'html').map(({ attribs }) => attribs['lang'])).toEqual(['en'])
      expect(byName(dom, 'title').map((title) => DomUtils.textContent(title))).toEqual([
        expect.stringMatching(/Hedgerow$/),
      ])
      expect(byName(dom, 'h1')).toHaveLength(1)
      expect(byName(dom, 'main')).toHaveLength(1)
    })
  })

  it('never skips a heading level', async () => {
    await checkEach(pages, ofPage, async (named) => {
      const levels = elements(await parse(named), (name) => /^h[1-6]$/.test(name)).map(({ name }) =>
        Number(name[1]),
      )

      const jumps = levels.filter((level, at) => level > (levels[at - 1] ?? 0) + 1)
      expect(jumps).toEqual([])
    })
  })

  it('labels and describes every field by unique ids', async () => {
    await checkEach(pages, ofPage, async (named) => {
      const dom = await parse(named)
      const all = ids(dom)
      const labelled = byName(dom, 'label').map(({ attribs }) => attribs['for'])
      const described = fields(dom).flatMap(({ attribs }) => attribs['aria-describedby']?.split(' ') ?? [])

      expect(new Set(all).size).toBe(all.length)
      expect(labelled.toSorted()).toEqual(
        fields(dom)
          .map(({ attribs }) => attribs['id'])
          .toSorted(),
      )
      expect(all).toEqual(expect.arrayContaining(described))
    })
  })

  it('every page has the autocomplete token of each text field, for password managers', async () => {
    await checkEach(pages, ofPage, async (named) => {
      const texts = fields(await parse(named)).filter(
        ({ name, attribs }) =>
          name === 'input' && !['checkbox', 'file', 'radio'].includes(attribs['type'] ?? ''),
      )

      const known = ['username', 'email', 'current-password', 'one-time-code', 'new-password', 'bday', 'off']
      for (const { attribs } of texts) expect(known).toContain(attribs['autocomplete'])
    })
  })

  it('posts every form with the CSRF token', async () => {
    await checkEach(pages, ofPage, async (named) => {
      for (const form of byName(await parse(named), 'form')) {
        expect(form.attribs['method']).toBe('post')
        expect(form.attribs['action']).toMatch(
          /^\/(accounts|auth|oauth|settings|invites|statuses_cleanup|users|interact|authorize_interaction)(\/|\?|$)/,
        )
        const tokens = DomUtils.findAll(({ attribs }) => attribs['name'] === 'csrf_token', form.children)
        expect(tokens.map(({ attribs }) => attribs['value'])).toEqual(['a-token-against-forgery'])
      }
    })
  })

  it('works under a policy without inline styles and scripts, and describes pictures [T-770]', async () => {
    await checkEach(pages, ofPage, async (named) => {
      const dom = await parse(named)

      expect(elements(dom, (name, script) => name === 'style' || isForeign(name, script))).toEqual([])
      expect(
        elements(dom, (_, attributes) => Object.keys(attributes).some((key) => /^(style|on.*)$/.test(key))),
      ).toEqual([])
      expect(elements(dom, (name, attributes) => name === 'img' && !('alt' in attributes))).toEqual([])
    })
  })

  it('links the source code of the server, as its licence requires', async () => {
    await checkEach(pages, ofPage, async (named) => {
      const links = byName(await parse(named), 'a').map(({ attribs }) => attribs['href'])
      expect(links).toContain('https://source.example/fieldfare')
    })
  })
})

const scripts = [
  'accounts.js',
  'offline.js',
  'passkeys.js',
  'challenge.js',
  'crop.js',
  'charts.js',
  'push.js',
] as const

/** Whether an element is a script that the pages do not declare. */
function isForeign(name: string, { src = '' }: Readonly<Record<string, string>>): boolean {
  return (
    name === 'script' && !scripts.some((script) => [assetPath(script), ...partPaths(script)].includes(src))
  )
}

describe('hostile texts on pages', () => {
  const spoilt = everyPage(hostile)

  it('hostile texts on pages add no markup', async () => {
    await checkEach(spoilt, ofPage, async (named) => {
      const dom = await parse(named)
      const same = pages.find(({ name }) => name === named.name)
      if (same === undefined) throw new Error('both tables list the same pages')
      const markup = (of: Dom) => elements(of, (name) => name !== 'a').map(({ name }) => name)

      expect(markup(dom)).toEqual(markup(await parse(same)))
      expect(elements(dom, isForeign)).toEqual([])
    })
  })

  it('never become a script address', async () => {
    await checkEach(spoilt, ofPage, async (named) => {
      const links = byName(await parse(named), 'a').map(({ attribs }) => attribs['href'] ?? '')
      expect(links.filter((href) => /^\s*(javascript|data|vbscript):/i.test(href))).toEqual([])
    })
  })
})

describe('a form that was not accepted', () => {
  const named = pages.find(({ name }) => name === 'sign-up-errors')

  it('moves the focus to a summary that links each field', async () => {
    if (named === undefined) throw new Error('the table lists sign-up-errors')
    const dom = await parse(named)
    const [summary] = elements(dom, (_, { role }) => role === 'alert')
    const links = DomUtils.findAll(({ name }) => name === 'a', summary?.children ?? [])

    expect(summary?.attribs).toMatchObject({ tabindex: '-1', autofocus: '' })
    expect(links.map(({ attribs }) => attribs['href'])).toEqual(
      fields(dom).map(({ attribs }) => `#${attribs['id']}`),
    )
  })

  it('marks each invalid field and keeps typed values except passwords', async () => {
    if (named === undefined) throw new Error('the table lists sign-up-errors')
    const dom = await parse(named)
    const typed = fields(dom).filter(({ attribs }) => attribs['type'] !== 'checkbox')

    expect(fields(dom).map(({ attribs }) => attribs['aria-invalid'])).toEqual(Array(7).fill('true'))
    expect(typed.map((field) => field.attribs['value'] ?? DomUtils.textContent(field))).toEqual([
      'ada',
      'ada@example.org',
      '',
      '',
      '',
      harmless.reason,
    ])
    expect(DomUtils.textContent(byName(dom, 'title'))).toMatch(/^Error: /)
  })
})

describe('the requested scopes', () => {
  const shown = (...scopes: Parameters<typeof groupScopes>[0]) =>
    groupScopes(scopes).map(({ risk, items }) => [risk, items.map(({ scope }) => scope)])

  it.each([
    { asked: ['read', 'read:statuses', 'push'], groups: [['see', ['read', 'push']]] },
    {
      asked: ['read', 'write', 'follow'],
      groups: [
        ['act', ['write']],
        ['see', ['read']],
      ],
    },
    { asked: ['follow', 'write:blocks'], groups: [['act', ['follow']]] },
    {
      asked: ['profile', 'admin:read:reports', 'write:media', 'read:lists'],
      groups: [
        ['moderate', ['admin:read:reports']],
        ['act', ['write:media']],
        ['see', ['read:lists', 'profile']],
      ],
    },
  ] as const)(
    'shows the requested scopes, riskiest first and without implied ones: $asked',
    ({ asked, groups }) => {
      expect(shown(...asked)).toEqual(groups)
    },
  )

  it('all have descriptions of their own', () => {
    const texts = allScopes.flatMap((scope) =>
      groupScopes([scope]).flatMap(({ items }) => items.map(({ text }) => text)),
    )
    expect(new Set(texts).size).toBe(allScopes.length)
  })
})
