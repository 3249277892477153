import { describe, expect, it } from 'vitest'
import { fediverse } from '../../support/fediverse'
import { given, type TestAccount } from '../../support/given'
import { freshHost, html, page, picture, postAndProcess } from '../../support/given-page'

const { network } = fediverse

/** A page of its own host, linked to by somebody new, and what came of it. */
async function linked(head: string | (() => Response), by?: TestAccount) {
  const host = freshHost()
  const url = page(`https://${host}/page`, head)
  const result = await postAndProcess(by ?? (await given.account()), `See ${url}`)
  return { ...result, url, host, requests: network.requests(`https://${host}/`) }
}

/** As many bytes as are asked for, and how many that were. */
function endless(start: string, piece: string) {
  const bytes = new TextEncoder().encode(piece)
  const sent = { bytes: 0, cancelled: false }
  const body = () =>
    new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode(start)),
      pull(controller) {
        sent.bytes += bytes.byteLength
        controller.enqueue(bytes)
      },
      cancel() {
        sent.cancelled = true
      },
    })
  return { sent, answer: () => new Response(body(), { headers: html }) }
}

describe('a hostile page', () => {
  it('reads at most a mebibyte of a page of a gigabyte, and uses the metadata in it', async () => {
    const { sent, answer } = endless('<head><title>Endless</title>', `<!-- ${'x'.repeat(65_536)} -->`)
    const { card } = await linked(answer)
    expect(card).toMatchObject({ title: 'Endless' })
    expect(sent.bytes).toBeLessThan(2_000_000)
    expect(sent.cancelled).toBe(true)
  })

  it('reads at most a mebibyte of a page that claims a gigabyte', async () => {
    const { card } = await linked(() => {
      const body = `<title>Large</title></head>${' '.repeat(2_000_000)}`
      return new Response(body, { headers: html })
    })
    expect(card).toMatchObject({ title: 'Large' })
  })

  it('reads as much as allowed of endless JSON-LD, titles and meta elements', async () => {
    const metas = Array.from(
      { length: 10_000 },
      (_, at) => `<meta property="og:x${at}" content="${at}">`,
    ).join('')
    const { card } = await linked(`${metas}<meta property="og:title" content="${'t'.repeat(20_000)}">`)
    expect(card).toMatchObject({ title: `${'t'.repeat(499)}…` })
  })

  it('strips markup from the texts of a page, and drops script addresses [T-636]', async () => {
    const { card } = await linked(
      `<meta property="og:title" content="<script>alert(1)</script>">
       <meta property="og:description" content="<img src=x onerror=alert(1)>">
       <meta property="og:image" content="javascript:alert(1)"><meta property="og:url" content="javascript:alert(1)">
       <meta name="twitter:player" content="javascript:alert(1)">
       <script type="application/ld+json">{"@type":"Article","author":{"name":"A","url":"javascript:alert(1)"}}</script>`,
    )
    expect(card).toMatchObject({
      title: '<script>alert(1)</script>',
      description: '<img src=x onerror=alert(1)>',
      html: '',
      image: null,
      type: 'link',
      author_url: '',
      authors: [{ name: 'A', url: '', account: null }],
    })
  })

  it.each([
    ['our own network', 'https://127.0.0.1/'],
    ['a private name', 'https://printer.local/'],
    ['metadata of the cloud', 'http://169.254.169.254/latest/meta-data/'],
    ['another port', 'https://site.test:8443/'],
    ['this server', 'https://fieldfare.test/api/v1/instance'],
    ['a file', 'file:///etc/passwd'],
  ])('stops at a redirect to %s', async (_, location) => {
    const mark = network.mark()
    const { card, outcomes, url } = await linked(
      () => new Response(null, { status: 302, headers: { location } }),
    )
    expect(card).toBeNull()
    expect(outcomes).toEqual(['ignored'])
    expect(network.since(mark).map((one) => one.url)).toEqual([url])
  })

  it('stops after a few steps of a redirect loop', async () => {
    const host = freshHost()
    const url = page(
      `https://${host}/`,
      () => new Response(null, { status: 301, headers: { location: '/' } }),
    )
    const { card } = await postAndProcess(await given.account(), url)
    expect(card).toBeNull()
    expect(network.requests(url).length).toBeLessThanOrEqual(4)
  })

  it.each([
    'https://127.0.0.1/x.png',
    'https://router.lan/x.png',
    'https://fieldfare.test/media/x.png',
    'http://10.0.0.1/x.png',
  ])('shows no picture at %s [T-637]', async (image) => {
    const { card, requests } = await linked(`<title>A</title><meta property="og:image" content="${image}">`)
    expect(card).toMatchObject({ title: 'A', image: null, blurhash: null, width: 0, height: 0 })
    expect(requests).toHaveLength(1)
  })

  it('shows the page without an oEmbed document in the local network', async () => {
    const { card, requests } = await linked(
      '<title>A</title><link rel="alternate" type="application/json+oembed" href="https://10.0.0.1/oembed">',
    )
    expect(card).toMatchObject({ title: 'A', type: 'link' })
    expect(requests).toHaveLength(1)
  })

  it('shows no picture that is a page, a script, too large or missing', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
    const answers = [
      () => new Response('<html>', { headers: { 'content-type': 'image/png' } }),
      () => new Response(svg, { headers: { 'content-type': 'image/svg+xml' } }),
      () => new Response(new Uint8Array(5_000_000), { headers: { 'content-type': 'image/png' } }),
      () => new Response('', { status: 404 }),
    ]
    for (const answer of answers) {
      const image = `https://${freshHost()}/i.png`
      network.respond(image, answer)
      const { card } = await linked(`<title>A</title><meta property="og:image" content="${image}">`)
      expect(card).toMatchObject({ title: 'A', image: null })
    }
  })

  it.each(['image/png', 'application/pdf', 'text/plain', 'application/json', ''])(
    'reads no metadata from a response that is not a page but %s',
    async (type) => {
      const { card } = await linked(
        () => new Response('<title>A</title>', { headers: { 'content-type': type } }),
      )
      expect(card).toBeNull()
    },
  )

  it('reads a page in an undeclared encoding', async () => {
    const latin = Uint8Array.from([...'<title>Fr\xfchling</title>'].map((one) => one.charCodeAt(0)))
    const { card } = await linked(() => new Response(latin, { headers: { 'content-type': 'text/html' } }))
    expect(card).toMatchObject({ title: 'Frühling' })
  })

  it('sends no information about the post or its author to the page', async () => {
    const alice = await given.account()
    const host = freshHost()
    const url = page(`https://${host}/page`, '<title>A</title><meta property="og:image" content="/i.png">')
    picture(`https://${host}/i.png`)
    const { id, card } = await postAndProcess(alice, `Psst ${url}`, { visibility: 'direct' })
    expect(card).toMatchObject({ title: 'A' })
    const asked = network.requests(`https://${host}/`)
    expect(asked).toHaveLength(2)
    for (const { headers } of asked) {
      const said = JSON.stringify([...headers])
      for (const secret of [alice.username, id, 'cookie', 'authorization', 'referer', 'signature'])
        expect(said).not.toContain(secret)
    }
  })
})
