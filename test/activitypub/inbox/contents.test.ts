import { beforeEach, describe, expect, it } from 'vitest'
import { utf8Bytes } from '../../../src/lib/text/bytes'
import type { Job } from '../../../src/messages/jobs'
import { as } from '../../support/as'
import { given, type TestAccount } from '../../support/given'
import type { KnownPeer } from '../../support/given-peer'
import { relation } from '../../support/given-relationships'
import { settleLateWork } from '../../support/test-app'

/** Contents as other software writes them, up to what members read. */

const LINK = 'rel="nofollow noopener noreferrer" target="_blank"'

let reader: TestAccount
let peer: KnownPeer

beforeEach(async () => {
  reader = await given.account()
  peer = await given.peer()
  await relation.follow(reader, peer)
})

async function shown(document: object) {
  const note = peer.note({ document: { contentMap: undefined, url: undefined, ...document } })
  const jobs: Job[] = []
  const overrides = { jobs: { send: async (job: Job) => void jobs.push(job) } }
  expect((await peer.send(peer.create(note), { overrides })).status).toBe(202)
  await settleLateWork()
  const { body } = await as(reader).get('/api/v1/timelines/home')
  return { note, jobs, status: Array.isArray(body) ? body[0] : null }
}

const linkTo = (url: string) => `<p><a href="${url}" ${LINK}>${url}</a></p>`

describe('a formula', () => {
  it('shows a formula as TeX', async () => {
    const formula =
      '<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mrow><mi>e</mi><mo>=</mo><mi>m</mi></mrow>' +
      '<annotation encoding="application/x-tex">e = mc^2</annotation></semantics></math>'
    const { status } = await shown({ content: `<p>So ${formula}.</p>` })
    expect(status).toMatchObject({ content: '<p>So $e = mc^2$.</p>' })
  })
})

describe('Markdown', () => {
  it('renders Markdown and sanitises the result', async () => {
    const content = [
      'A **fern** and [a page](https://ferns.test/a).\nNext line, <b>no tag</b>',
      '- one\n- two',
      '> quoted',
      '![A frond](https://ferns.test/frond.png)',
      '[bad](javascript:alert(1)) `<script>` https://ferns.test/b?c=1&d=2',
    ].join('\n\n')
    const { status } = await shown({ mediaType: 'text/markdown', content })
    expect(status.content.replaceAll('\n', '')).toBe(
      `<p>A <strong>fern</strong> and <a href="https://ferns.test/a" ${LINK}>a page</a>.<br />Next line, ` +
        '&lt;b&gt;no tag&lt;/b&gt;</p><ul><li>one</li><li>two</li></ul><blockquote><p>quoted</p></blockquote>' +
        `<p><a href="https://ferns.test/frond.png" ${LINK}>A frond</a></p>` +
        '<p>[bad](javascript:alert(1)) <code>&lt;script&gt;</code> ' +
        `<a href="https://ferns.test/b?c=1&amp;d=2" ${LINK}>https://ferns.test/b?c=1&amp;d=2</a></p>`,
    )
  })

  it('limits the size of rendered hostile Markdown', async () => {
    for (const part of [
      '[',
      '*a_',
      '> ',
      '- ',
      '`',
      '<http://a.test>',
      '![](https://a.test/x)',
      '&#1;',
      'https://a.test/ ',
    ]) {
      const content = part.repeat(70_000 / part.length)
      const { status } = await shown({ mediaType: 'text/markdown; charset=utf-8', content })
      expect(utf8Bytes(status.content)).toBeLessThanOrEqual(65_536)
    }
  })
})

describe('a link post', () => {
  const community = 'https://lemmy.test/c/plants'
  const page = {
    type: 'Page',
    name: 'Ferns & friends',
    to: [community, 'https://www.w3.org/ns/activitystreams#Public'],
    audience: community,
    content: '<p>Worth reading</p>\n',
    mediaType: 'text/html',
    source: { content: 'Worth reading', mediaType: 'text/markdown' },
    sensitive: false,
    commentsEnabled: true,
    stickied: false,
    language: { identifier: 'en', name: 'English' },
  }
  const article = 'https://paper.test/ferns?a=1'
  const title = '<p><strong>Ferns &amp; friends</strong></p>'
  const thumbnail = { type: 'Image', url: 'https://lemmy.test/pictrs/image/thumb.webp' }

  it.each<[string, object]>([
    [
      'Lemmy 0.19, which knows the media type',
      {
        attachment: [{ href: article, mediaType: 'text/html; charset=utf-8', type: 'Link' }],
        image: thumbnail,
      },
    ],
    ['Lemmy 0.18 and Mbin', { attachment: [{ type: 'Link', href: article }], source: article, url: article }],
    ['PieFed', { attachment: [{ href: article, type: 'Link' }], interactionPolicy: undefined, nsfl: false }],
    ['Lemmy before 0.15, by its url alone', { attachment: [], url: article }],
    [
      'an url that is a Link',
      { attachment: [], url: [{ type: 'Link', href: article, mediaType: 'text/html' }] },
    ],
  ])('a link post of %s shows its title and its link with a preview', async (_software, document) => {
    const { note, jobs, status } = await shown({ ...page, ...document })
    const link = `<p><a href="https://paper.test/ferns?a=1" ${LINK}>https://paper.test/ferns?a=1</a></p>`
    expect(status).toMatchObject({
      content: `${title}${link}<p>Worth reading</p>\n${linkTo(note.id)}`,
      url: note.id,
      language: 'en',
    })
    expect(jobs).toMatchObject([{ kind: 'fetch-link-preview', link: article }])
  })

  it.each<[string, object]>([
    [
      'a picture by its media type',
      { attachment: [{ type: 'Link', href: 'https://a.test/x', mediaType: 'image/webp' }] },
    ],
    ['a picture by its name', { attachment: [{ type: 'Link', href: 'https://a.test/x.png' }] }],
  ])('a link post that is %s shows its picture', async (_case, document) => {
    const { note, status } = await shown({ ...page, ...document })
    expect(status).toMatchObject({
      content: `${title}<p>Worth reading</p>\n${linkTo(note.id)}`,
      media_attachments: [{ type: 'image', remote_url: expect.stringMatching(/^https:\/\/a\.test\/x/) }],
    })
  })

  it.each<[string, object]>([
    ['a script', { attachment: [{ type: 'Link', href: 'javascript:alert(1)' }], url: 'javascript:alert(1)' }],
    ['an endless address', { attachment: [{ type: 'Link', href: `https://a.test/${'x'.repeat(5_000)}` }] }],
    ['its own page', { attachment: [], url: undefined }],
  ])('a link post with %s shows no picture', async (_case, document) => {
    const { note, status } = await shown({ ...page, ...document })
    expect(status.content).toBe(`${title}<p>Worth reading</p>\n${linkTo(note.id)}`)
  })

  it('a link post without text shows title and link', async () => {
    const { note, status } = await shown({
      ...page,
      content: null,
      attachment: [{ type: 'Link', href: article }],
    })
    expect(status.content).toContain(title)
    expect(status.content).toContain(article.replace('&', '&amp;'))
    expect(status.content).toContain(linkTo(note.id))
  })
})

describe('a text that is too long', () => {
  const words = 'Lorem ipsum dolor sit amet consetetur '
  const long = words.repeat(2_500)

  it.each<[string, string, string | undefined]>([
    ['in HTML', `<p><em>${long}</em></p><p>The end</p>`, 'text/html'],
    ['in many paragraphs', `<p>${words}</p>`.repeat(2_000), undefined],
    ['in plain text', long, 'text/plain'],
    ['in Markdown', long, 'text/markdown'],
    ['that grows by escapes', `<<< ${words}`.repeat(1_500), 'text/plain'],
  ])(
    'cuts a long text at a word, with an ellipsis and a link to the original: %s',
    async (_case, content, mediaType) => {
      const { note, status } = await shown({ content, mediaType })
      const ending = linkTo(note.id)
      expect(status.content.endsWith(ending)).toBe(true)
      expect(utf8Bytes(status.content)).toBeLessThanOrEqual(65_536)
      expect(utf8Bytes(status.content)).toBeGreaterThan(60_000)
      const text: string = status.content.slice(0, -ending.length)
      expect(text).toMatch(
        /(?:Lorem|ipsum|dolor|sit|amet|consetetur|&lt;&lt;&lt;| )(?:<\/?[a-z]+>)*…(?:<\/em>)?(?:<\/p>)?$/,
      )
    },
  )

  it('cuts a text without word separators anywhere but inside a character', async () => {
    const { status } = await shown({ content: `<p>${'漢字🌿'.repeat(10_000)}</p>` })
    expect(status.content).toMatch(/^<p>[漢字🌿]+…<\/p><p><a /u)
  })

  it('keeps a text that just fits', async () => {
    const content = `<p>${'a'.repeat(60_000)}</p>`
    expect((await shown({ content })).status.content).toBe(content)
  })
})
