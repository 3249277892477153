// Decisions for the owner to try, and trends that were decided about. Made once: decisions that were taken stay taken.
import { setup } from '../lib/server.mjs'
import { client } from './client.mjs'

const announcement =
  'Bread and soup on Friday at the community kitchen, from noon until the pot is empty. Bring a bowl.'

/** Trends that are shown. The others wait: the hashtag CommunityKitchen, a page, posts of other authors. */
const allowedTrends = [
  ['tag', 'introduction'],
  ['tag', 'birding'],
  ['author', 'merle'],
  ['author', 'amara'],
  ['author', 'tomasz'],
]

const spammer = { username: 'bargains', display_name: 'Best Bargains' }
const spam = [
  'WATCHES! WATCHES! Ninety percent off, today only. Write to me now.',
  'Still no watch? Everybody here has one already. Ninety percent off, today only.',
]

const newcomer = {
  username: 'wilhelmina',
  reason: 'Petra told me about the seed swap. I grow beans, far too many of them.',
}

const warned = {
  username: 'tomasz',
  text: 'Please describe your pictures: a sentence is enough.',
  appeal: 'Every loaf has its description. It was the oven that had none.',
}

const spamComment = 'Nothing but adverts, and it writes to people who never asked.'
const nestComment = 'Anybody can find that bank from this. Could the place be taken out?'
const nestNote = 'Asked Saoirse to take the place out. If it is still there on Sunday, I delete the post.'
const nestRule = 'No exact places of nests'

/** Fills the queue of an instance, unless that was done before: reports are never deleted, so the last one indicates it. */
export async function fillQueue(server, { members, made, pages }) {
  const order = (path, body = {}) => command(server, path, body)
  const [open, resolved] = await Promise.all([
    order('/api/v1/admin/reports?limit=200', null),
    order('/api/v1/admin/reports?limit=200&resolved=true', null),
  ])
  if ([...open, ...resolved].some(({ comment }) => comment === nestComment)) return
  for (const [what, key] of [...allowedTrends, ['publisher', new URL(pages.allowed).hostname]])
    await order('/api/fieldfare/v1/admin/trends/review', { what, key, trendable: true })
  await announce(order)
  await warn(order, members.get(warned.username))
  await askToJoin(server, order)
  await reportSpam(server, order, members)
  await reportNest(server, order, { members, made })
  await order('/api/fieldfare/v1/admin/trends/refresh')
}

async function announce(order) {
  const announcements = await order('/api/fieldfare/v1/admin/announcements', null)
  if (announcements.length === 0) await order('/api/fieldfare/v1/admin/announcements', { text: announcement })
}

/** A warning, and the appeal against it. */
async function warn(order, { id, call }) {
  const { text, appeal } = warned
  const find = async () => (await call('GET', '/api/fieldfare/v1/strikes'))[0]
  if ((await find()) === undefined)
    await order(`/api/v1/admin/accounts/${id}/action`, { type: 'none', text, send_email_notification: false })
  const strike = await find()
  if (strike.appeal === null)
    await call('POST', `/api/fieldfare/v1/strikes/${strike.id}/appeal`, { text: appeal })
}

/** A sign-up as an app sends it, where sign-ups need approval. */
async function askToJoin({ origin }, order) {
  const call = client(origin, null)
  const { registrations } = await call('GET', '/api/v2/instance')
  const members = await order(`/api/v2/admin/accounts?origin=local&username=${newcomer.username}`, null)
  if (!registrations.enabled || !registrations.approval_required) return
  if (members.some(({ username }) => username === newcomer.username)) return
  const app = await call('POST', '/api/v1/apps', {
    client_name: 'Birdwatch for phones',
    redirect_uris: 'urn:ietf:wg:oauth:2.0:oob',
    scopes: 'read write',
  })
  const { access_token: token } = await call('POST', '/oauth/token', {
    grant_type: 'client_credentials',
    client_id: app.client_id,
    client_secret: app.client_secret,
    scope: 'read write',
  })
  await client(origin, token)('POST', '/api/v1/accounts', {
    ...newcomer,
    email: `${newcomer.username}@example.org`,
    password: crypto.randomUUID(),
    agreement: true,
    locale: 'en',
  })
}

/** Spam is unlisted, so that visitors see the community. */
async function reportSpam(server, order, members) {
  const { id, token } = await order('account', spammer)
  const call = client(server.origin, token)
  const posts = []
  for (const [index, status] of spam.entries())
    posts.push(
      await call(
        'POST',
        '/api/v1/statuses',
        { status, visibility: 'unlisted', language: 'en' },
        { 'Idempotency-Key': `demo-spam-${index}` },
      ),
    )
  await members.get('petra').call('POST', '/api/v1/reports', {
    account_id: id,
    status_ids: posts.map((post) => post.id),
    comment: spamComment,
    category: 'spam',
  })
}

async function reportNest(server, order, { members, made }) {
  const rules = await client(server.origin, null)('GET', '/api/v1/instance/rules')
  const rule = rules.find(({ text }) => text === nestRule)
  const { id } = await members.get('merle').call('POST', '/api/v1/reports', {
    account_id: members.get('saoirse').id,
    status_ids: [made.get('nest')],
    comment: nestComment,
    ...(rule === undefined ? { category: 'other' } : { category: 'violation', rule_ids: [rule.id] }),
  })
  await order(`/api/fieldfare/v1/admin/reports/${id}/notes`, { content: nestNote })
}

/** Posts `body`, or reads where it is null. */
async function command(server, path, body) {
  const { status, body: answer } = await setup(server, body === null ? 'GET' : 'POST', path, body)
  if (status !== 200) throw new Error(`${path} was refused (${status}): ${JSON.stringify(answer)}`)
  return answer
}
