import { readFileSync } from 'node:fs'
import * as z from 'zod'
import { fillDemo } from '../../../scripts/demo.mjs'
import { setup } from '../../../scripts/lib/server.mjs'
import type { AnnualStats } from '../../../src/db/values'
import { unsubscribeToken } from '../../../src/domain/users/unsubscribe'
import { instanceSecrets } from '../../../src/lib/secrets'
import { samples } from '../../web/admin/samples'
import { giveRole, moderate, type SetupServer, saveSettings } from './administer'
import { writeDatabase } from './database'
import { type Instance, startInstance } from './instance'
import { plainPictures } from './plain-pictures'
import { Visitor } from './visitor'

const Made = z.object({ id: z.string(), token: z.string() })
const WithId = z.object({ id: z.string() })
const Statuses = z.array(z.object({ id: z.string(), content: z.string() }))

/** The community of `--demo` with something on every page: decisions that wait, entries of every list. */
export interface Community extends Instance {
  /** The owner, signed in, who reads English. */
  readonly asOwner: Visitor
  /** Owners by the language that they read, signed in. */
  readonly owners: Readonly<Record<string, Visitor>>
  /** Values of the parameters of paths, by the path as routes declare it. */
  readonly addresses: Readonly<Record<string, string>>
}

/** Settings under which pages show the most: a long name and address, and every field that sign-up can ask for. */
const furniture = {
  title: 'A server with a remarkably long name',
  shortDescription: 'A small place for people who look up when something flies over.',
  extendedDescription: [
    '## Who we are\n\nWe count birds every winter and talk about *everything else* in between.',
    '- Everybody is welcome\n- Nobody is the product\n- The server sleeps in a garden shed',
    'Read [how we count](https://birds.example/a-very-long-address/that-does-not-break-anywhere/at-all/on-a-phone).',
  ].join('\n\n'),
  termsOfService: '## Terms\n\nBe here as long as you like. Leave when you like.',
  domainBlocksShownTo: 'all',
  domainBlockReasonsShownTo: 'all',
  contactEmail: 'keeper@hedge.example',
  contactUsername: 'owner',
  registrations: 'approval',
  // Eight accounts make no trend of fifteen, and two of them make too many.
  trendMinimumAccounts: 3,
  trendMinimumTagAccounts: 3,
  trendMinimumInteractions: 5,
  rules: [
    { text: 'Be kind', hint: 'Argue with the point, not with the person.' },
    { text: 'No exact places of nests', hint: 'Eggs have enemies.' },
    'No cats',
  ],
}

/** An account of the demonstration that the community has suspended. */
const suspended = 'bargains'

export async function openCommunity({ hasPictures }: { readonly hasPictures: boolean }): Promise<Community> {
  const instance = await startInstance(furniture)
  try {
    const server = { origin: instance.origin, secrets: { SETUP_TOKEN: instance.setupToken } }
    await fillDemo(server, hasPictures ? {} : { draw: plainPictures })
    // People of the demonstration ask to join without a date of birth.
    await saveSettings(server, { minimumAge: 16 })
    const asOwner = new Visitor(instance.origin)
    const page = await asOwner.open('/auth/sign_in')
    await asOwner.submit(page, '/auth/sign_in', instance.owner)
    const { merleId, threadId, addresses } = await fill(server)
    writeDatabase(instance, (database) => {
      database
        .prepare(
          `insert into annual_reports (account_id, year, data, share_key, requested_at, generated_at)
            values (?, 2025, ?, 'merles-year', 1, 1)`,
        )
        .run(Number(merleId), JSON.stringify(yearOf(threadId)))
    })
    for (const { path, fields } of samples('bird7'))
      expectOk(await asOwner.submit(await asOwner.open(path), path, fields))
    await asOwner.submit(await asOwner.open('/settings/lists'), '/settings/lists', { title: 'Birders' })
    const note = { press: 'post', status: 'A post of the owner' }
    expectOk(await asOwner.submit(await asOwner.open('/publish'), '/publish', note))
    const own = /\/posts\/(\d+)\/delete/.exec((await asOwner.open('/home')).html)?.[1]
    const owners = { en: asOwner, de: await newOwner(server, 'de'), ar: await newOwner(server, 'ar') }
    const talk = { press: 'post', status: '@owner_de @owner_ar Any sloes left?', visibility: 'direct' }
    expectOk(await asOwner.submit(await asOwner.open('/publish'), '/publish', talk))
    const conversation = /\/conversations\/(\d+)/.exec((await asOwner.open('/conversations')).html)?.[1]
    await moderate(server, suspended, ['action', { type: 'suspend', send_email_notification: false }])
    const secrets = instanceSecrets(instance.secret)
    const token = await unsubscribeToken(secrets, { accountId: Number(merleId), kind: 'favourite' })
    const all = {
      ...addresses,
      '/search': '/search?q=birding',
      '/unsubscribe/:token': `/unsubscribe/${token}`,
      '/conversations/:id{[0-9]{1,16}}': `/conversations/${conversation}`,
      '/conversations/:id{[0-9]{1,16}}/delete': `/conversations/${conversation}/delete`,
      '/posts/:id{[0-9]{1,16}}': `/posts/${threadId}`,
      '/posts/:id{[0-9]{1,16}}/react': `/posts/${threadId}/react`,
      '/posts/:id{[0-9]{1,16}}/filter': `/posts/${threadId}/filter`,
      '/posts/:id{[0-9]{1,16}}/boost': `/posts/${threadId}/boost`,
      '/posts/:id{[0-9]{1,16}}/delete': `/posts/${own}/delete`,
      ...personPages(merleId, threadId),
    }
    return { ...instance, asOwner, owners, addresses: all }
  } catch (failure) {
    await instance.close()
    throw failure
  }
}

/** A year as its report tells it: only December brings one about. */
function yearOf(threadId: string): AnnualStats {
  return {
    archetype: 'oracle',
    months: [
      { month: 1, statuses: 12, followers: 3 },
      { month: 2, statuses: 30, followers: 0 },
    ],
    topTag: { name: 'birding', count: 7 },
    topStatusId: Number(threadId),
  }
}

/** Signs an account up on pages in a language, and gives it the role of an owner. */
async function newOwner(server: SetupServer, locale: string): Promise<Visitor> {
  const visitor = new Visitor(server.origin)
  const username = `owner_${locale}`
  const password = `seed-and-worm-${username}`
  const page = await visitor.open('/auth/sign_up')
  expectOk(
    await visitor.submit(page, '/auth/sign_up', {
      username,
      email: `${username}@birds.example`,
      password,
      password_confirmation: password,
      reason: 'To count birds together',
      date_of_birth: '1990-05-01',
      agreement: 'true',
      locale,
    }),
  )
  // Sign-ups of the demonstration wait for approval, and sign in only then.
  await moderate(server, username, ['approve'])
  await giveRole(server, username, 'owner')
  const signIn = await visitor.open('/auth/sign_in')
  expectOk(await visitor.submit(signIn, '/auth/sign_in', { username, password }))
  return visitor
}

function expectOk({ status, url, text }: { status: number; url: URL; text: string }): void {
  if (status !== 200) throw new Error(`${url.pathname} answered ${status}: ${text}`)
}

/** Adds through the API of members what the demonstration has none of. */
async function fill(server: SetupServer) {
  const callAs = async (username: string) => {
    const { token, id } = Made.parse((await setup(server, 'POST', 'account', { username })).body)
    const call = async (path: string, body?: object): Promise<unknown> => {
      const response = await fetch(server.origin + path, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
      return response.json()
    }
    return { id, call }
  }
  const [merle, jun, owner] = [await callAs('merle'), await callAs('jun'), await callAs('owner')]
  const petra = await callAs('petra')
  const posts = Statuses.parse(await merle.call(`/api/v1/accounts/${merle.id}/statuses`))
  const [reported] = posts
  const thread = posts.find(({ content }) => content.includes('First light at the reservoir'))
  if (reported === undefined || thread === undefined) throw new Error('The demonstration has no posts')
  const report = await jun.call('/api/v1/reports', {
    account_id: merle.id,
    status_ids: [reported.id],
    comment: 'Too many thrushes, in spite of several warnings.',
    category: 'spam',
  })
  // Private mentions by people whom the owner does not follow are held back.
  await petra.call('/api/v1/statuses', { status: '@owner a question about thrushes', visibility: 'direct' })
  await owner.call('/api/v1/statuses', {
    status: 'Good morning, in ten days.',
    scheduled_at: new Date(Date.now() + 864_000_000).toISOString(),
  })
  const image = `data:image/webp;base64,${readFileSync('test/data/media/alpha.webp').toString('base64')}`
  const added = await setup(server, 'POST', '/api/fieldfare/v1/admin/custom_emojis', {
    shortcode: 'thrush',
    category: 'Birds',
    image,
  })
  if (added.status !== 200) throw new Error(`The emoji was refused: ${added.status}`)
  const made = await merle.call('/api/v1/collections', {
    name: 'People of the reservoir',
    description: 'Who to follow when the fieldfares come.',
    account_ids: [jun.id],
  })
  const collection = z.object({ collection: WithId }).parse(made).collection.id
  const addresses: Readonly<Record<string, string>> = {
    '/:handle{@[^/]+}/:id{[0-9]{1,16}}': `/@merle/${thread.id}`,
    '/:handle{@[^/]+}/:id{[0-9]{1,16}}/photo/:number{[0-9]{1,2}}': `/@merle/${thread.id}/photo/1`,
    '/:handle{@[^/]+}/:id{[0-9]{1,16}}/history': `/@merle/${thread.id}/history`,
    '/:handle{@[\\w.-]+}/:id{[0-9]{1,16}}/embed': `/@merle/${thread.id}/embed`,
    '/:handle{@[^/]+}/tagged/:tag': '/@merle/tagged/birding',
    '/authorize_interaction': `/authorize_interaction?${new URLSearchParams({ uri: `${server.origin}/@merle/${thread.id}` })}`,
    '/interact/:id{[0-9]{1,16}}': `/interact/${thread.id}`,
    '/users/:username/remote_follow': '/users/merle/remote_follow',
    '/admin/instances/:domain': '/admin/instances/starlings.example',
    '/admin/accounts/:id/decision/:type': `/admin/accounts/${merle.id}/decision/silence`,
    '/admin/reports/:id/decision/:type': `/admin/reports/${WithId.parse(report).id}/decision/suspend`,
    '/collections/:id{[0-9]{1,16}}': `/collections/${collection}`,
    '/tags/:name': '/tags/introduction',
    '/:handle{@[^/]+}/wrapstodon/:year{[0-9]{4}}/:key': '/@merle/wrapstodon/2025/merles-year',
  }
  return { merleId: merle.id, threadId: thread.id, addresses }
}

/** Pages about an account that members open from its profile. */
function personPages(id: string, threadId: string): Readonly<Record<string, string>> {
  const names = ['mute', 'block', 'remove_follower', 'note', 'lists', 'shown']
  return {
    ...Object.fromEntries(
      names.map((name) => [`/accounts/:id{[0-9]{1,16}}/${name}`, `/accounts/${id}/${name}`]),
    ),
    '/accounts/:id{[0-9]{1,16}}/report': `/accounts/${id}/report?status=${threadId}`,
    '/:handle{@[^/]+}/:id{[0-9]{1,16}}/reblogs': `/@merle/${threadId}/reblogs`,
    '/:handle{@[^/]+}/:id{[0-9]{1,16}}/favourites': `/@merle/${threadId}/favourites`,
  }
}
