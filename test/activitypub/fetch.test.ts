import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { fetchDocument } from '../../src/activitypub/fetch'
import { execute, openDb } from '../../src/db/query'
import { allowedDomains, instances } from '../../src/db/schema'
import { ensureInstanceActor, findInstanceActor } from '../../src/domain/instance/keys'
import type { HttpMessage } from '../../src/lib/signatures/message'
import {
  findSignatureProblem,
  isSignedBy,
  readSignature,
  type Signature,
} from '../../src/lib/signatures/verify'
import type { Ctx } from '../../src/ports/ctx'
import { countingDb } from '../support/costs'
import { expectCosts } from '../support/expect-costs'
import { fediverse } from '../support/fediverse'
import { domainLimit } from '../support/given-limit'
import { clock, context } from '../support/test-app'

const { network } = fediverse
const activityJson = 'application/activity+json'
let made = 0

/** A host no other test asks. */
function freshHost(): string {
  made += 1
  return `fetched${made}.test`
}

/** A note that is served at its own id. */
function note(host = freshHost(), path = '/notes/1') {
  const id = `https://${host}${path}`
  const document = { id, type: 'Note', content: 'hello' }
  network.serve(id, document)
  return { host, id, document }
}

const answering =
  (body: string, type = activityJson, status = 200) =>
  () =>
    new Response(body, { status, headers: { 'content-type': type } })

const redirecting = (location: string) => () => new Response('', { status: 302, headers: { location } })

async function actor(ctx: Ctx = context()) {
  return ensureInstanceActor(ctx, await execute(ctx.db, findInstanceActor(ctx)))
}

function claimOf(request: { readonly headers: Headers }): Signature | null {
  const claim = readSignature(request.headers)
  return claim.kind === 'claimed' ? claim.signature : null
}

/** Verifies that the request carries a valid signature of the instance actor. */
async function isGenuine(request: Request, url = request.url): Promise<boolean> {
  const signature = claimOf(request)
  if (signature?.keyId !== 'https://fieldfare.test/actor#main-key') return false
  const message: HttpMessage = { method: request.method, url, headers: request.headers, body: null }
  if ((await findSignatureProblem(signature, message, clock.now())) !== null) return false
  return isSignedBy((await actor()).publicKey, signature, message)
}

describe('fetching a document', () => {
  it('signs fetches as the instance actor, and accepts the ActivityPub type with its profile', async () => {
    const { id, document } = note()
    const asked: Request[] = []
    network.respond(id, (request) => {
      asked.push(request)
      return answering(
        JSON.stringify(document),
        'application/ld+json; profile="https://www.w3.org/ns/activitystreams"',
      )()
    })
    expect(await fetchDocument(context(), `${id}#part`)).toEqual({ kind: 'found', document, url: id })
    const [request] = asked
    expect(request?.headers.get('accept')).toBe(
      'application/activity+json, application/ld+json; profile="https://www.w3.org/ns/activitystreams"',
    )
    expect(request !== undefined && (await isGenuine(request))).toBe(true)
  })

  it('a fetch costs one database round trip once the instance actor exists', async () => {
    await actor()
    const counted = countingDb(env.DB)
    const { id } = note()
    expect(await fetchDocument(context({ db: openDb(counted.db) }), id)).toMatchObject({ kind: 'found' })
    expectCosts(counted.read(), { trips: 1, rowsWritten: 0 })
    expect(counted.read().rowsRead).toBeLessThanOrEqual(10)
  })

  it.each([
    [200, answering('{"id":1}'), { kind: 'refused' }],
    [404, answering('', activityJson, 404), { kind: 'missing' }],
    [410, answering('', activityJson, 410), { kind: 'gone' }],
    [406, answering('', activityJson, 406), { kind: 'refused' }],
    [429, answering('', activityJson, 429), { kind: 'unreachable' }],
    [500, answering('', activityJson, 500), { kind: 'unreachable' }],
    [503, answering('', activityJson, 503), { kind: 'unreachable' }],
  ])('recognises an answer of %d', async (_status, respond, expected) => {
    const { id } = note()
    network.respond(id, respond)
    expect(await fetchDocument(context(), id)).toMatchObject(expected)
  })

  it('distinguishes an unreachable server from one that refuses', async () => {
    const { id } = note()
    network.fail(id, { broken: 'refused' })
    expect(await fetchDocument(context(), id)).toMatchObject({ kind: 'unreachable' })
    for (const url of [
      'https://127.0.0.1/x',
      'http://a.test/',
      'no address',
      'https://fieldfare.test/users/a',
    ])
      expect(await fetchDocument(context(), url)).toMatchObject({ kind: 'refused' })
  })

  it.each([
    'text/html',
    'application/json',
    'application/ld+json',
    'application/ld+json; profile="https://example.org/other"',
    'text/plain; profile="https://www.w3.org/ns/activitystreams"',
    'image/png',
    '',
  ])(
    'does not read an answer served as %j as a document, because it may be an upload [T-035]',
    async (type) => {
      const { id, document } = note()
      network.respond(id, answering(JSON.stringify(document), type))
      expect(await fetchDocument(context(), id)).toMatchObject({ kind: 'refused' })
    },
  )

  it.each([
    'application/activity+json; charset=utf-8',
    'Application/Activity+JSON',
    'application/ld+json;profile="https://www.w3.org/ns/activitystreams"',
    "application/ld+json; charset=utf-8; profile='https://www.w3.org/ns/activitystreams'",
    'application/ld+json; profile=https://www.w3.org/ns/activitystreams',
    'application/ld+json; profile="https://www.w3.org/ns/activitystreams https://w3id.org/x"',
  ])('reads an answer served as %s as a document', async (type) => {
    const { id, document } = note()
    network.respond(id, answering(JSON.stringify(document), type))
    expect(await fetchDocument(context(), id)).toMatchObject({ kind: 'found' })
  })

  it.each([
    '[]',
    'null',
    '"text"',
    '{',
    '',
    '\uFEFFnot json',
    '{"type":"Note"}',
    '{"id":""}',
    '{"id":["x"]}',
  ])('fetching a document refuses the body %j', async (body) => {
    const { id } = note()
    network.respond(id, answering(body))
    expect(await fetchDocument(context(), id)).toMatchObject({ kind: 'refused' })
  })
})

describe('the id of a document', () => {
  it('fetches the id once where it differs from the address, and requires that it matches', async () => {
    const { id, host, document } = note()
    network.respond(`https://${host}/@ada/1`, answering(JSON.stringify(document)))
    expect(await fetchDocument(context(), `https://${host}/@ada/1`)).toEqual({
      kind: 'found',
      document,
      url: id,
    })
  })

  it('trusts an id on the server of the address only [T-036]', async () => {
    const victim = note()
    const url = `https://${freshHost()}/fake`
    network.respond(url, answering(JSON.stringify({ id: victim.id, type: 'Note', content: 'forged' })))
    const found = await fetchDocument(context(), url)
    expect(found).toEqual({ kind: 'found', document: victim.document, url: victim.id })
  })

  it('refuses a document whose id leads to yet another id, without a further fetch', async () => {
    const [a, b, c] = [note(), note(), note()]
    network.respond(a.id, answering(JSON.stringify({ id: b.id })))
    network.respond(b.id, answering(JSON.stringify({ id: c.id })))
    expect(await fetchDocument(context(), a.id)).toMatchObject({ kind: 'refused' })
    expect(network.requests(c.id)).toEqual([])
  })

  it.each(['https://127.0.0.1/x', 'http://a.test/x', 'at://did:plc:abc/x', 'tag:a.test,2026:1', '/notes/1'])(
    'refuses a document whose id cannot be fetched: %s [T-037]',
    async (named) => {
      const { id } = note()
      network.respond(id, answering(JSON.stringify({ id: named })))
      expect(await fetchDocument(context(), id)).toMatchObject({ kind: 'refused' })
    },
  )

  it('accepts an actor served at the separate address of its key, as GoToSocial does [T-038]', async () => {
    const peer = await fediverse.actor({ software: 'gotosocial' })
    expect(peer.keyId).not.toContain('#')
    expect(await fetchDocument(context(), peer.keyId)).toMatchObject({ kind: 'found', url: peer.uri })
  })
})

describe('redirects', () => {
  it('signs each redirected request again [T-039]', async () => {
    const { id, document } = note()
    const genuine: boolean[] = []
    const first = `https://${freshHost()}/old`
    network.respond(first, async (request) => {
      genuine.push(await isGenuine(request))
      return redirecting(id)()
    })
    network.respond(id, async (request) => {
      genuine.push(await isGenuine(request))
      return answering(JSON.stringify(document))()
    })
    expect(await fetchDocument(context(), first)).toMatchObject({ kind: 'found', url: id })
    expect(genuine).toEqual([true, true])
  })

  it('refuses private addresses and redirect loops [T-040]', async () => {
    const start = `https://${freshHost()}/start`
    for (const target of ['https://169.254.169.254/', 'http://a.test/', 'https://localhost/', start]) {
      network.respond(start, redirecting(target))
      expect(await fetchDocument(context(), start)).toMatchObject({ kind: 'refused' })
    }
    expect(network.requests(start)).toHaveLength(3 + 4)
  })
})

describe('double-knocking', () => {
  /** A server that lets in only requests signed as `accepts` says; keeps the schemes it was offered. */
  function picky(
    accepts: (request: Request, signature: Signature) => boolean | Promise<boolean>,
    path?: string,
  ) {
    const { id, host, document } = note(freshHost(), path)
    const offered: string[] = []
    network.respond(id, async (request) => {
      const signature = claimOf(request)
      if (signature === null) return new Response('', { status: 401 })
      offered.push(signature.scheme)
      return (await accepts(request, signature))
        ? answering(JSON.stringify(document))()
        : new Response('', { status: 401 })
    })
    return { id, host, offered }
  }

  const schemeOf = async (host: string) => {
    const [row] = await context().db.select().from(instances).where(eq(instances.domain, host))
    return row?.signature ?? null
  }

  it('retries with RFC 9421 where draft-cavage is refused, and remembers that [T-041]', async () => {
    const { id, host, offered } = picky(
      async (request, { scheme }) => scheme === 'rfc9421' && (await isGenuine(request)),
    )
    await context().db.insert(instances).values({ domain: host, createdAt: clock.now() })
    expect(await fetchDocument(context(), id)).toMatchObject({ kind: 'found' })
    expect(offered).toEqual(['cavage', 'rfc9421'])
    expect(await schemeOf(host)).toBe('rfc9421')
    expect(await fetchDocument(context(), id)).toMatchObject({ kind: 'found' })
    expect(offered).toEqual(['cavage', 'rfc9421', 'rfc9421'])
  })

  it('returns to the other signature scheme when a server starts to refuse the remembered one', async () => {
    const { id, host, offered } = picky((_request, { scheme }) => scheme === 'cavage')
    await context()
      .db.insert(instances)
      .values({ domain: host, createdAt: clock.now(), signature: 'rfc9421' })
    expect(await fetchDocument(context(), id)).toMatchObject({ kind: 'found' })
    expect(offered).toEqual(['rfc9421', 'cavage'])
    expect(await schemeOf(host)).toBe('cavage')
  })

  it('signs without the query string when every other form is refused [T-042]', async () => {
    const { id, offered } = picky(async (request, { scheme }) => {
      if (scheme !== 'cavage') return false
      const signature = claimOf(request)
      const bare = {
        method: 'GET',
        url: request.url.replace(/\?.*/, ''),
        headers: request.headers,
        body: null,
      }
      return signature !== null && isSignedBy((await actor()).publicKey, signature, bare)
    }, '/users/ada/outbox?page=true')
    expect(await fetchDocument(context(), id)).toMatchObject({ kind: 'found' })
    expect(offered).toEqual(['cavage', 'rfc9421', 'cavage'])
  })

  it('gives up on a server that refuses every form, and accepts 404 as an answer', async () => {
    const { id, offered } = picky(() => false)
    expect(await fetchDocument(context(), id)).toMatchObject({ kind: 'refused' })
    expect(offered).toEqual(['cavage', 'rfc9421'])
    const { id: missing } = note()
    network.missing(missing)
    await fetchDocument(context(), missing)
    expect(network.requests(missing)).toHaveLength(1)
  })
})

describe('pages', () => {
  const page = (head: string) =>
    `<!DOCTYPE html><html><head><title>x</title>${head}</head><body></body></html>`

  it.each([
    (href: string) => `<link rel="alternate" type="application/activity+json" href="${href}">`,
    (href: string) => `<link href="${href}" rel='alternate' type='application/activity+json' />`,
    (href: string) => `<LINK REL="me alternate" TYPE="application/activity+json" HREF="${href}"/>`,
    (href: string) =>
      `<link rel="alternate" type="application/rss+xml" href="/feed"><link rel="alternate" type='application/ld+json; profile="https://www.w3.org/ns/activitystreams"' href="${href}">`,
  ])('follows the link of an HTML page to its document where pages are accepted (form %#)', async (link) => {
    const { id, host, document } = note()
    const url = `https://${host}/@ada/1`
    network.respond(url, answering(page(link(id)), 'text/html; charset=utf-8'))
    expect(await fetchDocument(context(), url, { acceptsHtml: true })).toEqual({
      kind: 'found',
      document,
      url: id,
    })
    expect(await fetchDocument(context(), url)).toMatchObject({ kind: 'refused' })
  })

  it('follows a relative link of an HTML page [T-043]', async () => {
    const { id, host } = note()
    const url = `https://${host}/@ada/1`
    const link = '<link rel="alternate" type="application/activity+json" href="/notes/1">'
    network.respond(url, answering(page(link), 'text/html'))
    expect(await fetchDocument(context(), url, { acceptsHtml: true })).toMatchObject({
      kind: 'found',
      url: id,
    })
  })

  it.each([
    ['no link', ''],
    [
      'a link to a private address',
      '<link rel="alternate" type="application/activity+json" href="https://10.0.0.1/">',
    ],
    ['a link to a script', '<link rel="alternate" type="application/activity+json" href="javascript:1">'],
    ['a link to itself', '<link rel="alternate" type="application/activity+json" href="">'],
    [
      'a link in a comment',
      '<!-- <link rel="alternate" type="application/activity+json" href="/notes/1"> -->',
    ],
    ['a link of another kind', '<link rel="canonical" type="application/activity+json" href="/notes/1">'],
  ])('refuses an HTML page with %s', async (_what, head) => {
    const { host } = note()
    const url = `https://${host}/@ada/1`
    network.respond(url, answering(page(head), 'text/html'))
    expect(await fetchDocument(context(), url, { acceptsHtml: true })).toMatchObject({ kind: 'refused' })
  })
})

describe('fetching from blocked servers', () => {
  it('sends no request to suspended servers and their subdomains', async () => {
    const { id, host } = note()
    const sub = note(`social.${host}`)
    await domainLimit(host, 'suspend')
    for (const url of [id, sub.id]) {
      expect(await fetchDocument(context(), url)).toMatchObject({ kind: 'refused' })
      expect(network.requests(url)).toEqual([])
    }
  })

  it('sends requests to limited servers', async () => {
    const { id, host } = note()
    await domainLimit(host, 'silence')
    expect(await fetchDocument(context(), id)).toMatchObject({ kind: 'found' })
  })

  it('follows no redirect and no id to a suspended server', async () => {
    const blocked = note()
    await domainLimit(blocked.host, 'suspend')
    const [moved, lent] = [note(), note()]
    network.respond(moved.id, redirecting(blocked.id))
    network.respond(lent.id, answering(JSON.stringify(blocked.document)))
    for (const { id } of [moved, lent])
      expect(await fetchDocument(context(), id)).toMatchObject({ kind: 'refused' })
    expect(network.requests(blocked.id)).toEqual([])
  })

  it('sends requests only to listed servers in allow-list mode', async () => {
    const [listed, other] = [note(), note()]
    const { config } = context()
    const federation = { ...config.federation, limited: true }
    const ctx = context({ config: { ...config, federation } })
    const row = { domain: listed.host, id: ctx.ids.next(), createdAt: clock.now() }
    await ctx.db.insert(allowedDomains).values(row)
    expect(await fetchDocument(ctx, listed.id)).toMatchObject({ kind: 'found' })
    expect(await fetchDocument(ctx, other.id)).toMatchObject({ kind: 'refused' })
  })
})
