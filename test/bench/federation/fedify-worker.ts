import { createFederation, generateCryptoKeyPair, MemoryKvStore } from '@fedify/fedify'
import { Create, Note, Person } from '@fedify/fedify/vocab'
import { type Load, requests } from './load'

const origin = 'https://fern.test'
const keys: CryptoKeyPair[] = []
let taken = 0

/** As fast as it goes: no queue, everything in memory, the sender's key known after the first delivery. */
const federation = createFederation<void>({ kv: new MemoryKvStore(), origin, allowPrivateAddress: true })

federation
  .setActorDispatcher('/users/{identifier}', async (ctx, identifier) => {
    const [pair] = await ctx.getActorKeyPairs(identifier)
    const inbox = ctx.getInboxUri(identifier)
    const key = pair === undefined ? {} : { publicKey: pair.cryptographicKey }
    return new Person({ id: ctx.getActorUri(identifier), preferredUsername: identifier, inbox, ...key })
  })
  .setKeyPairsDispatcher(async () => {
    if (keys.length === 0) keys.push(await generateCryptoKeyPair('RSASSA-PKCS1-v1_5'))
    return keys
  })

federation.setInboxListeners('/users/{identifier}/inbox', '/inbox').on(Create, async (ctx, create) => {
  const note = await create.getObject(ctx)
  if (note instanceof Note) taken += 1
})

/** Inbox of Fedify in the same runtime, for comparison: `POST /load` delivers everything in its body. */
export default {
  async fetch(request: Request): Promise<Response> {
    if (new URL(request.url).pathname !== '/load')
      return federation.fetch(request, { contextData: undefined })
    const load: Load = await request.json()
    const statuses: number[] = []
    for (const delivery of requests(load, `${origin}/inbox`)) {
      const answer = await federation.fetch(delivery, { contextData: undefined })
      statuses.push(answer.status)
    }
    return Response.json({ statuses, taken })
  },
}
