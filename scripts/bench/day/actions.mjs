// Actions of a day: [name, work], where `work` does it once and takes the number of the time.
import { randomBytes } from 'node:crypto'
import { call, connect, deliver, disconnect, followRemote } from './calls.mjs'

/** New authors for each new server: an assumption, on the high side. */
const newAuthorsPerServer = 4

/** Actions that only read. */
export function readings({ instance, facts, me }) {
  const get = (path) => call(instance, me.token, path)
  // A parameter of its own keeps each answer from the memory of the isolate: such requests come minutes apart.
  const visit = (path, accept) => {
    const address = `${path}${path.includes('?') ? '&' : '?'}visit=${randomBytes(4).toString('hex')}`
    return call(instance, null, address, { accept })
  }
  const activityJson = 'application/activity+json'
  const opened = [
    '/api/v2/instance',
    '/api/v1/accounts/verify_credentials',
    '/api/v1/timelines/home?limit=40',
    '/api/v2/notifications?limit=40',
    '/api/v1/markers?timeline[]=home&timeline[]=notifications',
    '/api/v2/filters',
    '/api/v1/lists',
    '/api/v1/custom_emojis',
    '/api/v1/announcements',
  ]
  return [
    [
      'app opened',
      async () => {
        for (const path of opened) await get(path)
        const [newest] = await get('/api/v1/timelines/home?limit=1')
        await call(instance, me.token, '/api/v1/markers', {
          method: 'POST',
          body: { home: { last_read_id: newest.id } },
        })
      },
    ],
    ['home polled', () => get('/api/v1/timelines/home?limit=40')],
    [
      'home scrolled',
      (index) => get(`/api/v1/timelines/home?limit=40&max_id=${BigInt(facts.status) + BigInt(index)}`),
    ],
    ['notifications polled', () => get('/api/v1/notifications?limit=40')],
    [
      'thread read',
      async () => {
        await get(`/api/v1/statuses/${facts.thread}`)
        await get(`/api/v1/statuses/${facts.thread}/context`)
      },
    ],
    [
      'profile read',
      async () => {
        await get(`/api/v1/accounts/${facts.author}`)
        await get(`/api/v1/accounts/relationships?id[]=${facts.author}`)
        await get(`/api/v1/accounts/${facts.author}/statuses?limit=20`)
      },
    ],
    ['search', () => get('/api/v2/search?q=neighbour&limit=20')],
    ['remote picture shown', remotePicture(instance, me)],
    ['stream connected', async () => disconnect(instance, await connect(instance, me.token))],
    ['local picture fetched', localPicture(instance, me, visit)],
    ['actor fetched', () => visit(new URL(me.uri).pathname, activityJson)],
    ['post fetched', () => visit(`/${facts.note}`, activityJson)],
    ['WebFinger asked', () => visit(`/.well-known/webfinger?resource=acct:${me.handle}`)],
    ['profile page visited', () => visit(`/@${me.handle.split('@')[0]}`, 'text/html')],
    ['NodeInfo asked', () => visit('/nodeinfo/2.0')],
    ['instance asked', () => visit('/api/v1/instance')],
    ['signed in', () => signIn(instance)],
  ]
}

/** The avatar of a remote account, which the server passes on. */
function remotePicture(instance, me) {
  let address = null
  return async () => {
    if (address === null) {
      const [found] = await call(instance, me.token, '/api/v1/accounts/search?q=@wren@wren.test')
      address = found.avatar
    }
    await call(instance, null, new URL(address).pathname + new URL(address).search)
  }
}

/** A picture of the person, as it was stored. */
function localPicture(instance, me, visit) {
  let path = null
  return async () => {
    path ??= new URL((await upload(instance, me)).url).pathname
    await visit(path)
  }
}

function upload(instance, { token }) {
  const form = new FormData()
  form.append('file', new Blob([pixel], { type: 'image/png' }), 'one.png')
  return call(instance, token, '/api/v2/media', { method: 'POST', body: form })
}

/** A password is checked in the vault, as the sign-in form does. */
async function signIn(instance) {
  await instance.setup('account', { username: `guest${randomBytes(4).toString('hex')}` })
}

/** Actions of the person. */
export function writings({ instance, me, wren, world }) {
  const post = (path, body) => call(instance, me.token, path, { method: 'POST', body })
  const say = (more = {}) => post('/api/v1/statuses', { status: `A plain status about #birds`, ...more })
  const fresh = async () => {
    const activity = wren.write()
    await deliver(instance, wren, activity)
    const { statuses } = await call(
      instance,
      me.token,
      `/api/v2/search?type=statuses&resolve=true&q=${encodeURIComponent(activity.object.id)}`,
    )
    return statuses[0].id
  }
  const stored = []
  const next = () => stored.pop()
  return [
    // Not an action of a day: statuses that the next ones mark.
    [
      'preparation',
      async () => {
        while (stored.length < 3 * 12) stored.push(await fresh())
      },
    ],
    ['post to 50 servers', () => say()],
    [
      'post with a picture to 50 servers',
      async () => {
        const { id } = await upload(instance, me)
        await say({ media_ids: [id] })
      },
    ],
    ['favourite', () => post(`/api/v1/statuses/${next()}/favourite`)],
    ['bookmark', () => post(`/api/v1/statuses/${next()}/bookmark`)],
    ['reblog to 50 servers', () => post(`/api/v1/statuses/${next()}/reblog`)],
    [
      'follow',
      async (index) => {
        const account = world.account(`followed${index}`)
        await followRemote({ instance, me }, account)
      },
    ],
    [
      'profile edited, to 50 servers',
      (index) =>
        call(instance, me.token, '/api/v1/accounts/update_credentials', {
          method: 'PATCH',
          body: { note: `Watches birds, ${index}` },
        }),
    ],
  ]
}

/** Activities of other servers. */
export function arrivals({ instance, me, wren, stranger, world }) {
  const send = (account, activity) => deliver(instance, account, activity)
  const mine = async () => {
    const { uri } = await call(instance, me.token, '/api/v1/statuses', {
      method: 'POST',
      body: { status: 'Short', visibility: 'unlisted' },
    })
    return uri
  }
  let [own, written, parent] = [null, [], null]
  const known = () => written.pop()
  return [
    ['inbound post', () => send(wren, wren.write())],
    [
      'inbound post with a link',
      () => {
        const path = `https://linked.test/page${randomBytes(4).toString('hex')}`
        return send(wren, wren.write({ content: `<p>Look: <a href="${path}">${path}</a></p>` }))
      },
    ],
    [
      'inbound reply',
      async () => {
        parent ??= wren.write()
        await send(wren, wren.write({ inReplyTo: parent.object.id }))
      },
    ],
    [
      'preparation of arrivals',
      async () => {
        own ??= await mine()
        while (written.length < 4 * 12) {
          const activity = wren.write()
          await send(wren, activity)
          written.push(activity)
        }
      },
    ],
    ['inbound reblog of a stored post', () => send(wren, announce(wren, known().object.id))],
    [
      'inbound reblog of an unknown post by a known author',
      () => send(wren, announce(wren, stranger.write().object.id)),
    ],
    [
      'inbound reblog of an unknown post by a new author',
      (index) => {
        // Most new authors are on servers that others here are on.
        const host = index % newAuthorsPerServer === 1 ? undefined : 'crowd.test'
        const author = world.account(`new${randomBytes(4).toString('hex')}`, host)
        return send(wren, announce(wren, author.write().object.id))
      },
    ],
    [
      'inbound deletion of an unknown account',
      () => {
        const account = world.account(`gone${randomBytes(4).toString('hex')}`)
        return send(account, account.activity('Delete', account.uri))
      },
    ],
    [
      'inbound deletion of an unknown post',
      () =>
        send(
          wren,
          wren.activity('Delete', {
            id: `${wren.uri}/statuses/none${randomBytes(4).toString('hex')}`,
            type: 'Tombstone',
          }),
        ),
    ],
    [
      'inbound deletion of a stored post',
      () => send(wren, wren.activity('Delete', { id: known().object.id, type: 'Tombstone' })),
    ],
    [
      'inbound edit of a post',
      () => {
        const { object } = known()
        const updated = new Date().toISOString()
        return send(wren, wren.activity('Update', { ...object, content: '<p>Sang at six.</p>', updated }))
      },
    ],
    [
      'inbound profile update',
      (index) =>
        send(wren, wren.activity('Update', wren.profile({ summary: `<p>Watches ${index} birds.</p>` }))),
    ],
    [
      'inbound unknown activity',
      () => send(wren, wren.activity('Listen', `${wren.uri}/songs/${randomBytes(4).toString('hex')}`)),
    ],
    [
      'inbound favourite',
      () => {
        const fan = world.account(`fan${randomBytes(4).toString('hex')}`)
        return send(fan, fan.activity('Like', own))
      },
    ],
    ['inbound mention', () => send(wren, wren.write({ mentioned: { uri: me.uri, handle: me.handle } }))],
    [
      'inbound follow',
      () => {
        const account = world.account(`fan${randomBytes(4).toString('hex')}`)
        return send(account, account.activity('Follow', me.uri))
      },
    ],
  ]
}

const announce = (account, object) =>
  account.activity('Announce', object, {
    published: new Date().toISOString(),
    to: ['https://www.w3.org/ns/activitystreams#Public'],
    cc: [`${account.uri}/followers`],
  })

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
