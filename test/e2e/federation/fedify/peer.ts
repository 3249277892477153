// A small server of its own on Fedify, run as a process: `node peer.ts <host> <first signature>`.
// It prints the port it listens on, speaks ActivityPub as https://<host>, and obeys commands at /control.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type Context, createFederation, generateCryptoKeyPair, MemoryKvStore } from '@fedify/fedify'
import { signRequest } from '@fedify/fedify/sig'
import {
  Accept,
  Activity,
  Announce,
  Create,
  Delete,
  Endpoints,
  Follow,
  isActor,
  Like,
  Note,
  Person,
  PUBLIC_COLLECTION,
  type Recipient,
  Tombstone,
  Undo,
  Update,
} from '@fedify/fedify/vocab'

const [host = 'peer.test', spec = 'draft-cavage-http-signatures-12'] = process.argv.slice(2)
const origin = `https://${host}`
const name = 'fern'

interface Seen {
  readonly type: string
  readonly id: string | null
  readonly actor: string | null
  readonly object: string | null
  readonly content: string | null
}

const seen: Seen[] = []
const notes = new Map<string, Note>()
const followers = new Map<string, Recipient>()
const keys = [await generateCryptoKeyPair('RSASSA-PKCS1-v1_5'), await generateCryptoKeyPair('Ed25519')]

const federation = createFederation<void>({
  kv: new MemoryKvStore(),
  origin,
  // Fedify's own check of addresses asks DNS, which knows no `.test` hosts.
  allowPrivateAddress: true,
  firstKnock: spec === 'rfc9421' ? 'rfc9421' : 'draft-cavage-http-signatures-12',
})

federation
  .setActorDispatcher('/users/{identifier}', async (ctx, identifier) => {
    if (identifier !== name) return null
    const pairs = await ctx.getActorKeyPairs(identifier)
    const first = pairs[0]
    return new Person({
      id: ctx.getActorUri(identifier),
      preferredUsername: identifier,
      name: 'Fern',
      summary: 'A peer',
      inbox: ctx.getInboxUri(identifier),
      url: ctx.getActorUri(identifier),
      outbox: new URL(`/users/${name}/outbox`, origin),
      followers: ctx.getFollowersUri(identifier),
      endpoints: new Endpoints({ sharedInbox: ctx.getInboxUri() }),
      ...(first === undefined ? {} : { publicKey: first.cryptographicKey }),
      assertionMethods: pairs.map(({ multikey }) => multikey),
    })
  })
  .setKeyPairsDispatcher(async () => keys)

federation.setFollowersDispatcher('/users/{identifier}/followers', async () => ({
  items: [...followers.values()],
}))

federation.setObjectDispatcher(Note, '/users/{identifier}/notes/{id}', async (ctx, values) => {
  return notes.get(ctx.getObjectUri(Note, values).href) ?? null
})

federation.setInboxListeners('/users/{identifier}/inbox', '/inbox').on(Activity, async (ctx, activity) => {
  const object =
    activity instanceof Create || activity instanceof Update ? await activity.getObject(ctx) : null
  seen.push({
    type: activity.constructor.name,
    id: activity.id?.href ?? null,
    actor: activity.actorId?.href ?? null,
    object: activity.objectId?.href ?? null,
    content: object?.content?.toString() ?? null,
  })
  if (activity instanceof Follow) await welcome(ctx, activity)
})

async function welcome(ctx: Context<void>, follow: Follow): Promise<void> {
  const follower = await follow.getActor(ctx)
  if (follower === null || follower.id === null) throw new Error('A follow without a follower')
  followers.set(follower.id.href, follower)
  const id = new URL(`#accepts/${crypto.randomUUID()}`, ctx.getActorUri(name))
  await ctx.sendActivity(
    { identifier: name },
    follower,
    new Accept({ id, actor: ctx.getActorUri(name), object: follow }),
  )
}

async function somebody(ctx: Context<void>, handle: string) {
  const found = await ctx.lookupObject(handle, {
    documentLoader: await ctx.getDocumentLoader({ identifier: name }),
  })
  if (!isActor(found)) throw new Error(`${handle} was not found, or is nobody`)
  return found
}

interface Command {
  readonly do: string
  readonly to: string
  readonly content: string
  readonly object: string
}

/** Runs a command; its activity is sent to `to`, a handle, or to all followers. */
async function runCommand(ctx: Context<void>, command: Command): Promise<unknown> {
  if (command.do === 'seen') return seen
  if (command.do === 'find') {
    const person = await somebody(ctx, command.to)
    return { id: person.id?.href, name: person.name?.toString(), inbox: person.inboxId?.href }
  }
  if (command.do === 'raw') return deliverRaw(ctx, command)
  const recipient = command.to === 'followers' ? 'followers' : await somebody(ctx, command.to)
  const activity = activityOf(ctx, command, recipient === 'followers' ? null : recipient.id)
  if (recipient === 'followers') await ctx.sendActivity({ identifier: name }, recipient, activity)
  else await ctx.sendActivity({ identifier: name }, recipient, activity)
  return { id: activity.id?.href, object: activity.objectId?.href }
}

/** Delivers a document as it is to the inbox `to`, in forms that the vocabulary of Fedify cannot make. */
async function deliverRaw(ctx: Context<void>, { to, content }: Command): Promise<unknown> {
  const [key] = await ctx.getActorKeyPairs(name)
  if (key === undefined) throw new Error('No key')
  const headers = { 'content-type': 'application/activity+json' }
  const request = new Request(to, { method: 'POST', headers, body: content })
  const signed = await signRequest(request, key.privateKey, key.keyId, {
    spec: spec === 'rfc9421' ? 'rfc9421' : 'draft-cavage-http-signatures-12',
  })
  const { status } = await fetch(signed)
  return { status }
}

function activityOf(ctx: Context<void>, command: Command, target: URL | null): Activity {
  const actor = ctx.getActorUri(name)
  const id = new URL(`#${command.do}/${crypto.randomUUID()}`, actor)
  const object = command.object === '' ? null : new URL(command.object)
  const base = { id, actor }
  const likeId = (liked: URL | null) => new URL(`#likes/${encodeURIComponent(liked?.href ?? '')}`, actor)
  switch (command.do) {
    case 'follow':
      return new Follow({ ...base, object: target })
    case 'unfollow':
      return new Undo({ ...base, object: new Follow({ id: object, actor, object: target }) })
    case 'post':
      return new Create({ ...base, ...audience(ctx, target), object: post(ctx, command, target) })
    case 'like':
      return new Like({ id: likeId(object), actor, object })
    case 'unlike':
      return new Undo({ ...base, object: new Like({ id: likeId(object), actor, object }) })
    case 'announce':
      return new Announce({ ...base, ...audience(ctx, target), object })
    case 'delete':
      return new Delete({ ...base, to: PUBLIC_COLLECTION, object: new Tombstone({ id: object }) })
    default:
      throw new Error(`No command ${command.do}`)
  }
}

function post(ctx: Context<void>, { content, object }: Command, target: URL | null): Note {
  const id = ctx.getObjectUri(Note, { identifier: name, id: crypto.randomUUID() })
  const replyTarget = object === '' ? {} : { replyTarget: new URL(object) }
  const note = new Note({
    id,
    attribution: ctx.getActorUri(name),
    ...audience(ctx, target),
    content,
    ...replyTarget,
  })
  notes.set(id.href, note)
  return note
}

function audience(ctx: Context<void>, target: URL | null) {
  const followersUri = ctx.getFollowersUri(name)
  return { to: PUBLIC_COLLECTION, ccs: target === null ? [followersUri] : [followersUri, target] }
}

async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  const { method = 'GET', url = '/' } = incoming
  const bytes = Buffer.concat(chunks)
  const response =
    url === '/control' ? await control(bytes.toString()) : await serve(incoming, method, url, bytes)
  outgoing.writeHead(response.status, Object.fromEntries(response.headers))
  outgoing.end(Buffer.from(await response.arrayBuffer()))
}

function serve(incoming: IncomingMessage, method: string, url: string, bytes: Buffer): Promise<Response> {
  const headers = new Headers()
  for (const [header, value] of Object.entries(incoming.headers))
    for (const one of Array.isArray(value) ? value : [value ?? '']) headers.append(header, one)
  const body = method === 'GET' || method === 'HEAD' ? {} : { body: new Uint8Array(bytes) }
  return federation.fetch(new Request(new URL(url, origin), { method, headers, ...body }), {
    contextData: undefined,
  })
}

async function control(text: string): Promise<Response> {
  const command: Command = { to: '', content: '', object: '', ...JSON.parse(text) }
  try {
    return Response.json((await runCommand(federation.createContext(new URL(origin)), command)) ?? null)
  } catch (failure) {
    return Response.json({ failed: String(failure) }, { status: 500 })
  }
}

const server = createServer((incoming, outgoing) => {
  answer(incoming, outgoing).catch((failure: unknown) => {
    console.error(failure)
    outgoing.destroy()
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('No port')
  console.log(JSON.stringify({ port: address.port }))
})
// The parent process holds the standard input: when that ends, so does this process.
process.stdin.resume()
process.stdin.on('end', () => process.exit(0))
