import type { LocalRole, World } from './world'

/** Measured case that changes something. Cases run in order and may build on earlier ones. */
export interface WriteCase {
  readonly name: string
  run(world: World): Promise<number | string>
}

type Facts = World['instance']['facts']
type Place = (facts: Facts) => string

/** A call with a token: `path` may name ids of the instance. */
const call = (
  name: string,
  by: LocalRole,
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: Place | string,
  body: (facts: Facts) => Readonly<Record<string, unknown>> = () => ({}),
): WriteCase => ({
  name,
  run: ({ call: send, instance: { facts } }) =>
    send(by, method, typeof path === 'string' ? path : path(facts), body(facts)),
})

const status =
  (verb: string, id: (facts: Facts) => number): Place =>
  (facts) =>
    `/api/v1/statuses/${id(facts)}/${verb}`
const account =
  (verb: string, id: (facts: Facts) => number): Place =>
  (facts) =>
    `/api/v1/accounts/${id(facts)}/${verb}`
const viral = ({ statuses }: Facts) => statuses.viral
const prolific = ({ accounts }: Facts) => accounts.prolific
const remote = ({ accounts }: Facts) => accounts.remote

/** Writes of members, then of moderators, then what deletes most. */
export const writes: readonly WriteCase[] = [
  call('post', 'reader', 'POST', '/api/v1/statuses', () => ({ status: 'A plain status about #birds' })),
  call('post by the star', 'star', 'POST', '/api/v1/statuses', () => ({ status: 'To very many' })),
  call('answer in the long thread', 'reader', 'POST', '/api/v1/statuses', ({ statuses }) => ({
    status: 'One more answer',
    in_reply_to_id: String(statuses.thread.last),
  })),
  call('post with a mention', 'reader', 'POST', '/api/v1/statuses', () => ({ status: '@star look at this' })),
  call('post with a poll', 'reader', 'POST', '/api/v1/statuses', () => ({
    status: 'Which?',
    poll: { options: ['a', 'b'], expires_in: 3600 },
  })),
  call('direct post', 'reader', 'POST', '/api/v1/statuses', () => ({
    status: '@star psst',
    visibility: 'direct',
  })),
  call('post by the withdrawn, for followers', 'withdrawn', 'POST', '/api/v1/statuses', () => ({
    status: 'For few',
    visibility: 'private',
  })),
  call('scheduled post', 'reader', 'POST', '/api/v1/statuses', () => ({
    status: 'Later',
    scheduled_at: '2026-12-01T12:00:00.000Z',
  })),
  call(
    'edit by the star',
    'star',
    'PUT',
    ({ statuses }) => `/api/v1/statuses/${statuses.star}`,
    () => ({
      status: 'To very many, corrected',
    }),
  ),
  call('favourite of the viral status', 'reader', 'POST', status('favourite', viral)),
  call('un-favourite of the viral status', 'reader', 'POST', status('unfavourite', viral)),
  call('reblog of the viral status', 'reader', 'POST', status('reblog', viral)),
  call('un-reblog of the viral status', 'reader', 'POST', status('unreblog', viral)),
  call('reblog by the star', 'star', 'POST', status('reblog', viral)),
  call('un-reblog by the star', 'star', 'POST', status('unreblog', viral)),
  call('bookmark', 'reader', 'POST', status('bookmark', viral)),
  call('un-bookmark', 'reader', 'POST', status('unbookmark', viral)),
  call('reaction', 'reader', 'POST', status('react/%F0%9F%8E%89', viral)),
  call('un-reaction', 'reader', 'POST', status('unreact/%F0%9F%8E%89', viral)),
  call(
    'mute of the long thread',
    'reader',
    'POST',
    status('mute', ({ statuses }) => statuses.thread.first),
  ),
  call(
    'un-mute of the long thread',
    'reader',
    'POST',
    status('unmute', ({ statuses }) => statuses.thread.first),
  ),
  call(
    'pin by the star',
    'star',
    'POST',
    status('pin', ({ statuses }) => statuses.star),
  ),
  call(
    'un-pin by the star',
    'star',
    'POST',
    status('unpin', ({ statuses }) => statuses.star),
  ),
  call(
    'vote',
    'reader',
    'POST',
    ({ poll }) => `/api/v1/polls/${poll}/votes`,
    () => ({ choices: [0] }),
  ),
  call('follow of a remote account', 'member', 'POST', account('follow', remote)),
  call('unfollow of a remote account', 'member', 'POST', account('unfollow', remote)),
  call(
    'follow of the withdrawn',
    'member',
    'POST',
    account('follow', ({ accounts }) => accounts.withdrawn),
  ),
  call(
    'unfollow of the withdrawn',
    'member',
    'POST',
    account('unfollow', ({ accounts }) => accounts.withdrawn),
  ),
  call('block of the prolific', 'reader', 'POST', account('block', prolific)),
  call('un-block of the prolific', 'reader', 'POST', account('unblock', prolific)),
  call('mute of the prolific', 'reader', 'POST', account('mute', prolific)),
  call('un-mute of the prolific', 'reader', 'POST', account('unmute', prolific)),
  call('note on an account', 'reader', 'POST', account('note', prolific), () => ({ comment: 'Hm' })),
  call(
    'removal of a follower',
    'crowded',
    'POST',
    account('remove_from_followers', (facts) => facts.firstOfCrowdedDomain),
  ),
  call('profile of the star', 'star', 'PATCH', '/api/v1/accounts/update_credentials', () => ({
    display_name: 'Star',
  })),
  call('searchable from now on', 'withdrawn', 'PATCH', '/api/v1/accounts/update_credentials', () => ({
    indexable: 'false',
  })),
  call('follow of a tag', 'member', 'POST', ({ tags }) => `/api/v1/tags/${tags.flood}/follow`),
  call('unfollow of a tag', 'member', 'POST', ({ tags }) => `/api/v1/tags/${tags.flood}/unfollow`),
  call('featured tag', 'withdrawn', 'POST', '/api/v1/featured_tags', ({ tags }) => ({ name: tags.common })),
  call('new filter', 'reader', 'POST', '/api/v2/filters', () => ({
    title: 'x',
    context: ['home'],
    keywords_attributes: [{ keyword: 'x' }],
  })),
  call('new list', 'reader', 'POST', '/api/v1/lists', () => ({ title: 'More birds' })),
  call(
    'member taken off a list',
    'reader',
    'DELETE',
    ({ list }) => `/api/v1/lists/${list}/accounts`,
    (facts) => ({
      account_ids: [String(prolific(facts))],
    }),
  ),
  call('markers', 'reader', 'POST', '/api/v1/markers', ({ statuses }) => ({
    home: { last_read_id: String(statuses.newest) },
  })),
  call('report', 'reader', 'POST', '/api/v1/reports', (facts) => ({
    account_id: String(prolific(facts)),
    status_ids: [String(facts.statuses.prolific)],
    forward: true,
  })),
  call(
    'request to follow accepted',
    'reader',
    'POST',
    ({ requester }) => `/api/v1/follow_requests/${requester}/authorize`,
  ),
  call(
    'dismissed notification',
    'reader',
    'POST',
    ({ notification }) => `/api/v1/notifications/${notification}/dismiss`,
  ),
  call(
    'read conversation',
    'reader',
    'POST',
    ({ statuses }) => `/api/v1/conversations/${statuses.direct}/read`,
  ),
  call('annual report', 'withdrawn', 'POST', '/api/v1/annual_reports/2026/generate'),
  call('new collection', 'reader', 'POST', '/api/v1/collections', () => ({
    name: 'Birds',
    description: 'x',
    discoverable: true,
    sensitive: false,
  })),
  call('domain unblocked that was not blocked', 'member', 'DELETE', '/api/v1/domain_blocks', () => ({
    domain: 'nowhere.example',
  })),
  call('all notifications cleared', 'reader', 'POST', '/api/v1/notifications/clear'),
  call('figures for staff', 'owner', 'POST', '/api/v1/admin/measures', () => ({
    keys: ['active_users', 'new_users', 'interactions', 'opened_reports', 'resolved_reports'],
    start_at: '2026-10-01',
    end_at: '2026-10-31',
  })),
  call('dimensions for staff', 'owner', 'POST', '/api/v1/admin/dimensions', () => ({
    keys: ['languages', 'sources', 'servers', 'space_usage', 'software_versions'],
    start_at: '2026-10-01',
    end_at: '2026-10-31',
    limit: 10,
  })),
  call('retention for staff', 'owner', 'POST', '/api/v1/admin/retention', () => ({
    start_at: '2026-01-01',
    end_at: '2026-10-31',
    frequency: 'month',
  })),
  call(
    'limit of the prolific',
    'owner',
    'POST',
    (facts) => `/api/v1/admin/accounts/${prolific(facts)}/action`,
    () => ({
      type: 'silence',
    }),
  ),
  call(
    'limit of the prolific lifted',
    'owner',
    'POST',
    (facts) => `/api/v1/admin/accounts/${prolific(facts)}/unsilence`,
  ),
  call(
    'sign-up rejected',
    'owner',
    'POST',
    ({ accounts }) => `/api/v1/admin/accounts/${accounts.pending}/reject`,
  ),
]

/** Cases that delete much, or end many follows: last of all. */
export const deletions: readonly WriteCase[] = [
  call(
    'deletion of a post of the star',
    'star',
    'DELETE',
    ({ statuses }) => `/api/v1/statuses/${statuses.star}`,
  ),
  call('deletion of the viral status', 'viral', 'DELETE', (facts) => `/api/v1/statuses/${viral(facts)}`),
  call(
    'block of a crowded domain by its target',
    'crowded',
    'POST',
    '/api/v1/domain_blocks',
    ({ crowdedDomain }) => ({
      domain: crowdedDomain,
    }),
  ),
  call('limit of a server', 'owner', 'POST', '/api/v1/admin/domain_blocks', () => ({
    domain: 'social1.example',
    severity: 'silence',
  })),
  call('suspension of a server', 'owner', 'POST', '/api/v1/admin/domain_blocks', () => ({
    domain: 'social0.example',
    severity: 'suspend',
  })),
  call(
    'suspension of a local account',
    'owner',
    'POST',
    ({ accounts }) => `/api/v1/admin/accounts/${accounts.star}/action`,
    () => ({
      type: 'suspend',
    }),
  ),
]
