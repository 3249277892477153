// A small community for looking around in, made through the public API as any client would.
// Looks up existing data before adding any, so that it can run again or continue after an interruption.
import { all, client, form } from './demo/client.mjs'
import { fillQueue } from './demo/decisions.mjs'
import { followedByOwner, instance, people, rules } from './demo/people.mjs'
import * as drawings from './demo/pictures.mjs'
import { posts as allPosts, pages as usualPages } from './demo/posts.mjs'
import { setup } from './lib/server.mjs'

const pictureSize = { width: 780, height: 520 }
const headerSize = { width: 750, height: 250 }
const avatarPixels = 240
const pause = 3
/** The title of an instance that has none. */
const unnamed = 'Fieldfare'

/**
 * Fills the instance behind `server` ({ origin, secrets }). Leaves what is there as it is. Posts with links to `pages`
 * that cannot be reached, as without a network, are left out. With the `folder` that holds the database, posts and figures
 * are spread over sixty days. `draw` has a function for each kind of picture, which returns a
 * PNG of the size that it is given.
 */
export async function fillDemo(server, { pages = usualPages, draw = drawings, folder = null } = {}) {
  console.log('\n  Filling the demonstration ...')
  const probing = reachableOf(pages)
  const members = new Map()
  for (const person of people) members.set(person.username, await settle(server, person, draw))
  for (const person of people) await followAll(members, person)
  const owner = await ownerOf(server, members)
  await introduceInstance(server)
  const reachable = await probing
  const posts = allPosts
    .filter(({ page }) => page === undefined || reachable.has(page))
    .map((post) => (post.page === undefined ? post : { ...post, text: `${post.text} ${pages[post.page]}` }))
  const made = new Map()
  // People take a while to react, so a few more posts come before they do.
  for (const [index, post] of [...posts, ...Array(pause).fill(null)].entries()) {
    if (post !== null) made.set(post.key, await publish(members, made, post))
    const earlier = posts[index - pause]
    if (earlier !== undefined) await react(members, made.get(earlier.key), earlier)
  }
  await bookmarkForOwner(owner, made)
  await fillQueue(server, { members, made, pages })
  if (folder !== null) {
    // Loaded here: the database of Node is of no use to servers elsewhere.
    const { spreadOverDays } = await import('./demo/spread.mjs')
    spreadOverDays(
      { folder },
      people.map(({ username }) => username),
    )
  }
  await describe(members, posts)
}

const probeMilliseconds = 2_000

/** Names of the pages that answer. */
async function reachableOf(pages) {
  const named = await Promise.all(
    Object.entries(pages).map(async ([name, url]) => {
      const order = { method: 'HEAD', signal: AbortSignal.timeout(probeMilliseconds) }
      const answers = await fetch(url, order).then(
        ({ ok }) => ok,
        () => false,
      )
      return answers ? [name] : []
    }),
  )
  return new Set(named.flat())
}

async function member(server, username, name) {
  const { status, body } = await setup(server, 'POST', 'account', { username, display_name: name })
  if (status !== 200) throw new Error(`${username} could not be made (${status}): ${JSON.stringify(body)}`)
  return { id: body.id, call: client(server.origin, body.token), texts: null }
}

/** Makes the person, or finds them, and sees to their profile. */
async function settle(server, person, draw) {
  const made = await member(server, person.username, person.name)
  const account = await made.call('GET', '/api/v1/accounts/verify_credentials')
  const patch = {
    ...(account.source.note === '' ? profileOf(person) : {}),
    ...(isDefault(account.avatar) ? { avatar: draw.songbird({ size: avatarPixels, ...person.bird }) } : {}),
    ...(isDefault(account.header)
      ? { header: draw.landscape({ ...headerSize, birds: 3, ...person.header }) }
      : {}),
  }
  if (Object.keys(patch).length > 0)
    await made.call('PATCH', '/api/v1/accounts/update_credentials', form(patch))
  return { ...made, draw }
}

function profileOf({ name, bio, fields }) {
  const rows = fields.flatMap(([label, value], index) => [
    [`fields_attributes[${index}][name]`, label],
    [`fields_attributes[${index}][value]`, value],
  ])
  return {
    display_name: name,
    note: bio,
    discoverable: 'true',
    indexable: 'true',
    ...Object.fromEntries(rows),
  }
}

/** No uploaded picture yet: the instance shows one of its assets. */
function isDefault(url) {
  return new URL(url).pathname.startsWith('/assets/')
}

/** Only while the instance has its default name. */
async function introduceInstance(server) {
  const { title } = await (await fetch(`${server.origin}/api/v2/instance`)).json()
  if (title !== unnamed) return
  const admin = '/api/fieldfare/v1/admin'
  // The title last: it says that this was done.
  for (const [path, texts] of [
    [`${admin}/rules`, { rules }],
    [`${admin}/settings`, instance],
  ]) {
    const { status, body } = await setup(server, 'PUT', path, texts)
    if (status !== 200) throw new Error(`${path} was refused (${status}): ${JSON.stringify(body)}`)
  }
}

async function followAll(members, { username, follows }) {
  const { call } = members.get(username)
  for (const other of follows) await call('POST', `/api/v1/accounts/${members.get(other).id}/follow`)
}

/** The owner follows enough accounts for a full home timeline, and leaves some to be discovered. */
async function ownerOf(server, members) {
  const owner = await member(server, 'owner')
  for (const username of followedByOwner)
    await owner.call('POST', `/api/v1/accounts/${members.get(username).id}/follow`)
  return owner
}

async function publish(members, made, post) {
  const author = members.get(post.by)
  author.texts ??= await textsOf(author)
  const known = author.texts.get(post.text)
  if (known !== undefined) return known
  const status = await author.call('POST', '/api/v1/statuses', await draft(author, made, post), {
    'Idempotency-Key': `demo-${post.key}`,
  })
  return status.id
}

/** Statuses that an account has posted already: text to id. */
async function textsOf({ id, call }) {
  const said = await all(call, `/api/v1/accounts/${id}/statuses?exclude_reblogs=true`)
  const sources = said.map(async (status) => {
    const { text } = await call('GET', `/api/v1/statuses/${status.id}/source`)
    return [text, status.id]
  })
  return new Map(await Promise.all(sources))
}

async function draft(author, made, post) {
  return {
    status: post.text,
    language: 'en',
    visibility: post.visibility ?? 'public',
    ...(post.markdown ? { content_type: 'text/markdown' } : {}),
    ...(post.warning ? { spoiler_text: post.warning } : {}),
    ...(post.replyTo ? { in_reply_to_id: made.get(post.replyTo) } : {}),
    ...(post.poll ? { poll: post.poll } : {}),
    ...(post.picture ? { media_ids: [await upload(author, post.picture)] } : {}),
  }
}

async function upload({ call, draw }, { kind, alt, ...order }) {
  const file = draw[kind]({ ...pictureSize, ...order })
  const { id } = await call('POST', '/api/v2/media', form({ file, description: alt }))
  return id
}

async function react(members, id, post) {
  const { by, likes = [], shares = [], saves = [], votes = {}, pin: wanted = false } = post
  const act = (username, deed) => members.get(username).call('POST', `/api/v1/statuses/${id}/${deed}`)
  for (const username of likes) await act(username, 'favourite')
  for (const username of shares) await act(username, 'reblog')
  for (const username of saves) await act(username, 'bookmark')
  for (const [username, choice] of Object.entries(votes)) await vote(members.get(username), id, choice)
  if (wanted) await pin(members.get(by), id)
}

async function pin({ call }, id) {
  const { pinned } = await call('GET', `/api/v1/statuses/${id}`)
  if (!pinned) await call('POST', `/api/v1/statuses/${id}/pin`)
}

async function vote({ call }, statusId, choice) {
  const { poll } = await call('GET', `/api/v1/statuses/${statusId}`)
  if (poll.voted || poll.expired) return
  await call('POST', `/api/v1/polls/${poll.id}/votes`, { choices: [choice] })
}

async function bookmarkForOwner(owner, made) {
  for (const key of ['recipe', 'ring']) await owner.call('POST', `/api/v1/statuses/${made.get(key)}/bookmark`)
}

async function describe(members, posts) {
  const [first] = members.values()
  const { stats } = await first.call('GET', '/api/v1/instance')
  console.log(`  ${people.length} people and ${posts.length} posts are there`)
  console.log(`  (the instance counts ${stats.user_count} people and ${stats.status_count} posts in all).`)
}
