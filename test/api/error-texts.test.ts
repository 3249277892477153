import { beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { anonymous, as } from '../support/as'
import { given, type TestAccount } from '../support/given'
import { direct } from '../support/given-direct'
import { invite } from '../support/given-invite'
import { storedList } from '../support/given-list'
import { relation } from '../support/given-relationships'
import { storedUpload } from '../support/given-upload'
import { askForToken, type Client, exchange, givenCode, registerClient } from '../support/oauth'
import { clock } from '../support/test-app'

/**
 * Error texts, compared with those of Mastodon 4.6 (config/locales/en.yml,
 * activerecord.en.yml, doorkeeper.en.yml and its controllers). Apps show them as they come.
 */

interface Refused {
  readonly status: number
  readonly body: unknown
}

const Id = z.object({ id: z.string() })
const Poll = z.object({ poll: Id })
const OAuthError = z.object({ error: z.string(), error_description: z.string() })

type Case = readonly [what: string, status: number, error: string, call: () => Promise<Refused>]

const person = () => given.account()
const post = (who: TestAccount, path: string, body: Readonly<Record<string, unknown>> = {}) =>
  as(who).post(path, body)

async function pollBy(owner: TestAccount): Promise<string> {
  const made = await post(owner, '/api/v1/statuses', {
    status: 'Which?',
    poll: { options: ['a', 'b'], expires_in: 300 },
  })
  return Poll.parse(made.body).poll.id
}

async function pin(viewer: TestAccount, id: string) {
  return post(viewer, `/api/v1/statuses/${id}/pin`)
}

async function withPoll(poll: Readonly<Record<string, unknown>>) {
  return post(await person(), '/api/v1/statuses', { status: 'Which?', poll })
}

const long = 'x'.repeat(51)

const cases: readonly Case[] = [
  [
    'replying to a missing post',
    404,
    'The post you are trying to reply to does not appear to exist.',
    async () => post(await person(), '/api/v1/statuses', { status: 'Hello', in_reply_to_id: '1' }),
  ],
  [
    'replying to a post one may not see',
    404,
    'The post you are trying to reply to does not appear to exist.',
    async () => {
      const { id } = await direct(await person(), [])
      return post(await person(), '/api/v1/statuses', { status: 'Hello', in_reply_to_id: id })
    },
  ],
  [
    'quoting a missing post',
    404,
    'The post you are trying to quote does not appear to exist.',
    async () => post(await person(), '/api/v1/statuses', { status: 'Hello', quoted_status_id: '1' }),
  ],
  [
    'quoting somebody behind their back',
    422,
    'Validation failed: Cannot quote a non-mentioned user in a Private Mention post.',
    async () => {
      const { id } = await given.status({ by: await person() })
      const quote = { status: 'psst', quoted_status_id: id, visibility: 'direct' }
      return post(await person(), '/api/v1/statuses', quote)
    },
  ],
  [
    'following oneself',
    403,
    'Following your own account is not allowed',
    async () => {
      const alice = await person()
      return post(alice, `/api/v1/accounts/${alice.id}/follow`)
    },
  ],
  [
    'attaching what is not there',
    422,
    'Media 1, 2 not found or already attached to another post',
    async () => post(await person(), '/api/v1/statuses', { media_ids: ['1', '2'] }),
  ],
  [
    'attaching too much',
    422,
    'Cannot attach more than 4 files',
    async () => post(await person(), '/api/v1/statuses', { media_ids: ['1', '2', '3', '4', '5'] }),
  ],
  [
    'deleting a file that is shown',
    422,
    'Media attachment is currently used by a status',
    async () => {
      const alice = await person()
      const file = await storedUpload(alice)
      await post(alice, '/api/v1/statuses', { media_ids: [file] })
      return as(alice).delete(`/api/v1/media/${file}`)
    },
  ],
  [
    "pinning somebody else's post",
    422,
    "Validation failed: Someone else's post cannot be pinned",
    async () => pin(await person(), (await given.status({ by: await person() })).id),
  ],
  [
    'pinning a reblog',
    422,
    'Validation failed: A boost cannot be pinned',
    async () => {
      const alice = await person()
      const { id } = await given.status({ by: await person() })
      return pin(alice, Id.parse((await post(alice, `/api/v1/statuses/${id}/reblog`)).body).id)
    },
  ],
  [
    'pinning a direct post',
    422,
    'Validation failed: Posts that are only visible to mentioned users cannot be pinned',
    async () => {
      const alice = await person()
      return pin(alice, (await direct(alice, [])).id)
    },
  ],
  [
    'pinning a sixth post',
    422,
    'Validation failed: You have already pinned the maximum number of posts',
    async () => {
      const alice = await person()
      const answers = []
      for (let count = 0; count < 6; count += 1)
        answers.push(await pin(alice, (await given.status({ by: alice })).id))
      return answers[5] ?? { status: 0, body: null }
    },
  ],
  [
    'voting in the own poll',
    422,
    'Validation failed: You cannot vote in your own polls',
    async () => {
      const alice = await person()
      return post(alice, `/api/v1/polls/${await pollBy(alice)}/votes`, { choices: [0] })
    },
  ],
  [
    'voting for what there is not',
    422,
    'Validation failed: The chosen vote option does not exist',
    async () => post(await person(), `/api/v1/polls/${await pollBy(await person())}/votes`, { choices: [2] }),
  ],
  [
    'voting twice',
    422,
    'Validation failed: You have already voted on this poll',
    async () => {
      const bob = await person()
      const path = `/api/v1/polls/${await pollBy(await person())}/votes`
      await post(bob, path, { choices: [0] })
      return post(bob, path, { choices: [1] })
    },
  ],
  [
    'voting late',
    422,
    'Validation failed: The poll has already ended',
    async () => {
      const path = `/api/v1/polls/${await pollBy(await person())}/votes`
      const start = clock.now()
      clock.advance(301_000)
      const answer = await post(await person(), path, { choices: [0] })
      clock.set(start)
      return answer
    },
  ],
  [
    'a poll of one option',
    422,
    'Validation failed: Choices must have more than one item',
    () => withPoll({ options: ['a'], expires_in: 300 }),
  ],
  [
    'a poll of five options',
    422,
    "Validation failed: Choices can't contain more than 4 items",
    () => withPoll({ options: ['a', 'b', 'c', 'd', 'e'], expires_in: 300 }),
  ],
  [
    'a poll with a long option',
    422,
    'Validation failed: Choices cannot be longer than 50 characters each',
    () => withPoll({ options: ['a', long], expires_in: 300 }),
  ],
  [
    'a poll with the same option twice',
    422,
    'Validation failed: Choices contain duplicate items',
    () => withPoll({ options: ['a', 'a'], expires_in: 300 }),
  ],
  [
    'a poll that ends at once',
    422,
    'Validation failed: Deadline is too soon',
    () => withPoll({ options: ['a', 'b'], expires_in: 1 }),
  ],
  [
    'a poll that hardly ends',
    422,
    'Validation failed: Deadline is too far into the future',
    () => withPoll({ options: ['a', 'b'], expires_in: 9_000_000 }),
  ],
  [
    'an empty post',
    422,
    "Validation failed: Text can't be blank",
    async () => post(await person(), '/api/v1/statuses', { status: '' }),
  ],
  [
    'a long post',
    422,
    'Validation failed: Text character limit of 500 exceeded',
    async () => post(await person(), '/api/v1/statuses', { status: 'x'.repeat(501) }),
  ],
  [
    'putting somebody on a list whom one does not follow',
    422,
    'Validation failed: Account must be a followed account',
    async () => {
      const alice = await person()
      const accounts = `/api/v1/lists/${await storedList({ of: alice })}/accounts`
      return post(alice, accounts, { account_ids: [String((await person()).id)] })
    },
  ],
  [
    'putting somebody on a list twice',
    422,
    'Validation failed: Account is already on the list',
    async () => {
      const [alice, bob] = [await person(), await person()]
      await relation.follow(alice, bob)
      const accounts = `/api/v1/lists/${await storedList({ of: alice })}/accounts`
      await post(alice, accounts, { account_ids: [String(bob.id)] })
      return post(alice, accounts, { account_ids: [String(bob.id)] })
    },
  ],
  [
    'featuring an eleventh hashtag',
    422,
    'Validation failed: You have already featured the maximum number of hashtags',
    async () => {
      const alice = await person()
      const answers = []
      for (let count = 0; count < 11; count += 1)
        answers.push(await post(alice, '/api/v1/featured_tags', { name: `bird${count}` }))
      return answers[10] ?? { status: 0, body: null }
    },
  ],
  [
    'featuring somebody one does not follow',
    422,
    'Validation failed: You must be already following the person you want to endorse',
    async () => post(await person(), `/api/v1/accounts/${(await person()).id}/endorse`),
  ],
  [
    'a filter for no place',
    422,
    'Validation failed: Context None or invalid context supplied',
    async () => post(await person(), '/api/v2/filters', { title: 'birds', context: ['everywhere'] }),
  ],
  [
    'asking for another mail from another app',
    403,
    'This method is only available to the application the user originally signed-up with',
    async () => post(await given.account({ user: { confirmedAt: null } }), '/api/v1/emails/confirmations'),
  ],
  [
    'going backwards through a search',
    400,
    'Pagination values for `offset` and `limit` must be positive',
    async () => as(await person()).get('/api/v2/search?q=bird&offset=-1'),
  ],
  [
    'an invitation that is over',
    401,
    'This invite is not valid',
    async () => {
      const { code } = await invite(await person(), { expiresAt: new Date(clock.now().getTime() - 1) })
      return anonymous.get(`/invite/${code}`, { headers: { accept: 'application/json' } })
    },
  ],
]

describe('the text of a refusal is that of Mastodon for', () => {
  it.each(cases)('%s', async (_what, status, error, call) => {
    expect(await call()).toMatchObject({ status, body: { error } })
  })
})

describe('the description of an OAuth error is that of Doorkeeper for', () => {
  let client: Client
  beforeAll(async () => {
    client = await registerClient()
  })
  const describing = async (answer: Promise<Refused>) => OAuthError.parse((await answer).body)

  it.each<[string, string, string, Readonly<Record<string, string>>]>([
    [
      'a wrong secret',
      'invalid_client',
      'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.',
      { client_secret: 'wrong', grant_type: 'client_credentials' },
    ],
    ['a missing grant', 'invalid_request', 'Missing required parameter: grant_type.', {}],
    [
      'an unknown grant',
      'unsupported_grant_type',
      'The authorization grant type is not supported by the authorization server.',
      { grant_type: 'password' },
    ],
    [
      'a scope too much',
      'invalid_scope',
      'The requested scope is invalid, unknown, or malformed.',
      { grant_type: 'client_credentials', scope: 'admin:read' },
    ],
  ])('%s', async (_what, error, error_description, params) => {
    const answer = askForToken(client, params)
    expect(await describing(answer)).toEqual({ error, error_description })
  })

  it('an invalid code', async () => {
    const answer = exchange(client, await givenCode(client, (await person()).id), {
      redirect_uri: 'https://a.test',
    })
    expect(await describing(answer)).toEqual({
      error: 'invalid_grant',
      error_description:
        'The provided authorization grant is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client.',
    })
  })
})
