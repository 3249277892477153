import { expect, it } from 'vitest'
import { policiesOf } from '../../../src/activitypub/vocab/quotes'

const author = 'https://a.test/users/ada'
const followers = `${author}/followers`
const by = { uri: author, followers }
const everybody = { automaticApproval: ['as:Public'] }

it.each([
  ['nothing', undefined, ['nobody', 'public', 'public']],
  [
    'everybody',
    { canQuote: everybody, canReply: everybody, canAnnounce: everybody },
    ['public', 'public', 'public'],
  ],
  [
    'followers',
    {
      canQuote: { automaticApproval: followers },
      canReply: { always: [author, followers] },
      canReblog: [{ automaticApproval: [{ id: followers }] }],
    },
    ['followers', 'followers', 'followers'],
  ],
  [
    'only the author',
    {
      canQuote: { automaticApproval: [author] },
      canReply: { always: [author] },
      canAnnounce: { automaticApproval: [] },
    },
    ['nobody', 'mentioned', 'mentioned'],
  ],
  [
    'what an empty policy says, which is nothing',
    { canQuote: {}, canReply: {}, canAnnounce: [{}] },
    ['nobody', 'public', 'public'],
  ],
  [
    'approval by hand',
    {
      canQuote: { automaticApproval: [], manualApproval: ['as:Public'] },
      canReply: { approvalRequired: 'as:Public' },
    },
    ['nobody', 'mentioned', 'public'],
  ],
  [
    'followers of somebody else',
    { canQuote: { automaticApproval: ['https://b.test/users/bo/followers'] } },
    ['nobody', 'public', 'public'],
  ],
  ['no policy at all', 'anything', ['nobody', 'public', 'public']],
])('reads a post that allows %s', (_what, interactionPolicy, [quotePolicy, replyPolicy, reblogPolicy]) => {
  expect(policiesOf({ interactionPolicy }, by)).toMatchObject({
    quotePolicy,
    replyPolicy,
    reblogPolicy,
  })
})

it.each([
  ['nothing', undefined, []],
  ['requests for answers', { canReply: { manualApproval: 'as:Public' } }, ['reply']],
  [
    'requests for both',
    { canReply: { manualApproval: [followers] }, canAnnounce: { manualApproval: ['as:Public'] } },
    ['reply', 'reblog'],
  ],
  ['requests for favourites', { canLike: { manualApproval: ['as:Public'] } }, ['favourite']],
  ['no requests', { canReply: { automaticApproval: [author], manualApproval: [] } }, []],
  ['requests as GoToSocial 0.19, which takes none', { canReply: { approvalRequired: 'as:Public' } }, []],
])('reads a post that takes %s', (_what, interactionPolicy, askedFirst) => {
  expect(policiesOf({ interactionPolicy }, by)).toMatchObject({ askedFirst })
})

it.each([
  ['everybody', undefined, 'public'],
  ['everybody by an empty rule', {}, 'public'],
  ['everybody by name', everybody, 'public'],
  ['followers', { automaticApproval: [author, followers], manualApproval: ['as:Public'] }, 'followers'],
  ['those it lists', { always: [author, 'https://b.test/users/bo'] }, 'mentioned'],
  ['its author', { automaticApproval: author }, 'nobody'],
  ['nobody', { automaticApproval: [], manualApproval: [] }, 'nobody'],
  ['whom its author approves', { manualApproval: 'as:Public' }, 'nobody'],
  ['everybody, as the rule is none', 'as:Public', 'public'],
])('reads a post that %s may favourite', (_who, canLike, likePolicy) => {
  expect(policiesOf({ interactionPolicy: { canLike } }, by)).toMatchObject({ likePolicy })
})
