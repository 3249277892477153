import type { ActivityType, RemoteReaction } from '../../../../src/activitypub/vocab/activity'

export interface Expected {
  readonly type: ActivityType
  readonly actor: string
  /** Null where the activity has none. */
  readonly id: string | null
  /** Ids of what it is about. */
  readonly objects: readonly (string | null)[]
  readonly target?: string
  readonly instrument?: string
  readonly result?: string
  readonly reaction?: RemoteReaction
}

const rosa = 'https://mastodon.test/users/rosa'
const note = `${rosa}/statuses/113400000000000001`
const mo = 'https://gotosocial.test/users/mo'
const lin = 'https://hollo.test/@lin'
const holloQuote = `${lin}/0192f0aa-0000-7000-8000-00000000000a`
const mikasReply = 'https://hollo.test/@mika/01980000-0000-7000-8000-000000000001'
const tove = 'https://akkoma.test/users/tove'
const yuki = 'https://misskey.test/users/9abc'
const ada = 'https://fieldfare.test/users/ada'
const adas = `${ada}/statuses/9`
const film = 'https://peertube.test/videos/watch/4e2c0f3a-2222-4b4b-9999-0a0a0a0a0a0a'

const by =
  (actor: string) =>
  (type: ActivityType, id: string | null, objects: Expected['objects'], more: Partial<Expected> = {}) => ({
    actor,
    type,
    id,
    objects,
    ...more,
  })
const mastodon = by(rosa)
const misskey = by(yuki)

/** Expected results of reading the activities of the corpus. */
export const activities: Readonly<Record<string, Expected>> = {
  'mastodon-4.3-create-note': mastodon('Create', `${note}/activity`, [note]),
  'mastodon-4.3-update-note': mastodon('Update', `${note}#updates/1761990000`, [note]),
  'mastodon-4.3-delete-note': mastodon('Delete', `${note}#delete`, [note]),
  'mastodon-4.3-delete-actor': mastodon('Delete', `${rosa}#delete`, [rosa]),
  'mastodon-4.3-update-actor': mastodon('Update', `${rosa}#updates/1761993600`, [rosa]),
  'mastodon-4.3-vote': mastodon('Create', `${rosa}#votes/77/activity`, [`${rosa}#votes/77`]),
  'mastodon-4.3-announce': mastodon('Announce', `${rosa}/statuses/113400000000000009/activity`, [
    `${lin}/0192f0aa-0000-7000-8000-000000000001`,
  ]),
  'mastodon-4.3-undo-announce': mastodon('Undo', `${rosa}/statuses/113400000000000009/activity#undo`, [
    `${rosa}/statuses/113400000000000009/activity`,
  ]),
  'mastodon-4.3-like': mastodon('Like', `${rosa}#likes/41`, [adas]),
  'mastodon-4.3-undo-like': mastodon('Undo', `${rosa}#likes/41/undo`, [`${rosa}#likes/41`]),
  'mastodon-4.3-follow': mastodon('Follow', 'https://mastodon.test/0b1d7b4e-0f5c-4f0e-8a3c-6b5d3a4c2b1a', [
    ada,
  ]),
  'mastodon-4.3-undo-follow': mastodon('Undo', `${rosa}#follows/5/undo`, [
    'https://mastodon.test/0b1d7b4e-0f5c-4f0e-8a3c-6b5d3a4c2b1a',
  ]),
  'mastodon-4.3-accept-follow': mastodon('Accept', `${rosa}#accepts/follows/12`, [`${ada}#follows/3`]),
  'mastodon-4.3-reject-follow': mastodon('Reject', `${rosa}#rejects/follows/`, [`${ada}#follows/3`]),
  'mastodon-4.3-block': mastodon('Block', `${rosa}#blocks/8`, [ada]),
  'mastodon-4.3-flag': by('https://mastodon.test/actor')(
    'Flag',
    'https://mastodon.test/3f1d9b0e-1b1b-4c0c-9d3e-0a0b0c0d0e0f',
    [ada, adas],
  ),
  'mastodon-4.3-move': mastodon('Move', `${rosa}#moves/1`, [rosa], { target: 'https://hollo.test/@rosa' }),
  'mastodon-4.3-add-pin': mastodon('Add', `${rosa}#add/1`, [note], {
    target: `${rosa}/collections/featured`,
  }),
  'mastodon-4.3-remove-pin': mastodon('Remove', null, [note], { target: `${rosa}/collections/featured` }),
  'mastodon-4.5-quote-request': mastodon('QuoteRequest', `${rosa}/quote_requests/4f2f0b6e`, [adas], {
    instrument: `${rosa}/statuses/115400000000000003`,
  }),
  'mastodon-4.5-accept-quote': mastodon(
    'Accept',
    `${rosa}#accepts/quote_requests/12`,
    [`${ada}#quote-requests/3`],
    { result: `${rosa}/quote_authorizations/12` },
  ),
  'mastodon-4.5-delete-quote-authorization': mastodon('Delete', `${rosa}/quote_authorizations/12#delete`, [
    `${rosa}/quote_authorizations/12`,
  ]),
  'mastodon-4.5-announce-private': mastodon('Announce', `${rosa}/statuses/115400000000000022/activity`, [
    `${rosa}/statuses/115400000000000021`,
  ]),
  'gotosocial-0.19-create-note': by(mo)(
    'Create',
    `${mo}/statuses/01JBF00000000000000000001/activity#Create`,
    [`${mo}/statuses/01JBF00000000000000000001`],
  ),
  'gotosocial-0.19-vote': by(mo)('Create', `${mo}/activity#vote/1`, [
    `${mo}/statuses/01JBF00000000000000000001#vote/a`,
    `${mo}/statuses/01JBF00000000000000000001#vote/b`,
  ]),
  'gotosocial-0.19-accept-follow': by(mo)('Accept', `${mo}/accepts/01JBF3`, [`${ada}#follows/3`]),
  'gotosocial-0.20-accept-like': by(mo)('Accept', `${mo}/accepts/01JBF5`, [`${ada}#likes/41`], {
    target: `${mo}/statuses/01JBF00000000000000000001`,
  }),
  'gotosocial-0.20-reject-like': by(mo)('Reject', `${mo}/rejects/01JBF6`, [`${ada}#likes/41`], {
    target: `${mo}/statuses/01JBF00000000000000000001`,
  }),
  'gotosocial-0.20-accept-announce': by(mo)(
    'Accept',
    `${mo}/accepts/01JBF7`,
    [`${ada}/statuses/42/activity`],
    {
      target: `${mo}/statuses/01JBF00000000000000000001`,
    },
  ),
  'gotosocial-0.20-reject-announce': by(mo)(
    'Reject',
    `${mo}/rejects/01JBF8`,
    [`${ada}/statuses/42/activity`],
    {
      target: `${mo}/statuses/01JBF00000000000000000001`,
    },
  ),
  'gotosocial-0.20-reply-request': by(mo)('ReplyRequest', `${mo}/interaction_requests/01JBF4`, [adas], {
    instrument: `${mo}/statuses/01JBF000000000000000000012`,
  }),
  'gotosocial-0.21-accept-reply': by(mo)('Accept', `${mo}/accepts/01KFG9`, [`${ada}/statuses/42`], {
    target: `${mo}/statuses/01JBF00000000000000000001`,
    result: `${mo}/authorizations/01KFG9`,
  }),
  'gotosocial-0.21-accept-reply-request': by(mo)('Accept', `${mo}/accepts/01KFG7`, [`${ada}#requests/42`], {
    result: `${mo}/authorizations/01KFG7`,
  }),
  'gotosocial-0.21-reject-reply-request': by(mo)('Reject', `${mo}/rejects/01KFG8`, [`${ada}#requests/42`]),
  'gotosocial-0.21-accept-announce-request': by(mo)(
    'Accept',
    `${mo}/accepts/01KFG7`,
    [`${ada}#requests/42`],
    { result: `${mo}/authorizations/01KFG7` },
  ),
  'gotosocial-0.21-reject-announce-request': by(mo)('Reject', `${mo}/rejects/01KFG8`, [`${ada}#requests/42`]),
  'gotosocial-0.21-announce-request': by(mo)('AnnounceRequest', `${mo}/announce_requests/01KFGA`, [adas], {
    instrument: `${mo}/statuses/01KFGB`,
  }),
  'gotosocial-0.20-accept-reply': by(mo)('Accept', `${mo}/accepts/01JBF9`, [`${ada}/statuses/42`], {
    target: `${mo}/statuses/01JBF00000000000000000001`,
  }),
  'gotosocial-0.21-like-request': by(mo)('LikeRequest', `${mo}/like_requests/01KFGC`, [adas], {
    instrument: `${mo}/liked/01KFGD`,
  }),
  'gotosocial-0.21-accept-like-request': by(mo)(
    'Accept',
    `${mo}/accepts/01KFGE`,
    [`${ada}#likerequests/41`],
    { result: `${mo}/authorizations/01KFGE` },
  ),
  'gotosocial-0.21-reject-like-request': by(mo)('Reject', `${mo}/rejects/01KFGF`, [`${ada}#likerequests/41`]),
  'hollo-0.7-create-note': by(lin)('Create', `${lin}/0192f0aa-0000-7000-8000-000000000001#create`, [
    `${lin}/0192f0aa-0000-7000-8000-000000000001`,
  ]),
  'fedify-2.3-create-proof': by('https://hollo.test/@mika')('Create', `${mikasReply}#create`, [mikasReply]),
  'hollo-0.9-create-note-quoting': by(lin)('Create', `${holloQuote}#create`, [holloQuote]),
  'hollo-0.9-quote-request': by(lin)('QuoteRequest', `${holloQuote}#quote-request`, [adas], {
    instrument: holloQuote,
  }),
  'hollo-0.9-update-note-quoting': by(lin)('Update', `${holloQuote}#update-2026-11-01T10:00:05Z`, [
    holloQuote,
  ]),
  'hollo-0.7-emoji-react': by(lin)('EmojiReact', `${lin}#reactions/1`, [adas], {
    reaction: {
      name: 'seedling_spin',
      emoji: {
        picture: {
          shortcode: 'seedling_spin',
          image: { remote: 'https://hollo.test/assets/emojis/seedling_spin.gif' },
        },
        host: null,
      },
    },
  }),
  'akkoma-3.15-create-note': by(tove)('Create', 'https://akkoma.test/activities/6f', [
    'https://akkoma.test/objects/6e2b7d3a-1111-4c4c-8888-0f0f0f0f0f0f',
  ]),
  'akkoma-3.15-emoji-react': by(tove)('EmojiReact', 'https://akkoma.test/activities/70', [adas], {
    reaction: { name: '🔥', emoji: null },
  }),
  'pleroma-2.9-chat-message': by('https://pleroma.test/users/pim')(
    'Create',
    'https://pleroma.test/activities/c1',
    ['https://pleroma.test/objects/c1'],
  ),
  'misskey-2025.10-create-note-quote': misskey('Create', 'https://misskey.test/notes/9note1/activity', [
    'https://misskey.test/notes/9note1',
  ]),
  'misskey-2025.10-like-reaction': misskey('Like', 'https://misskey.test/likes/9like1', [adas], {
    reaction: {
      name: 'neko',
      emoji: {
        picture: {
          shortcode: 'neko',
          image: { remote: 'https://files.misskey.test/neko.png' },
          uri: 'https://misskey.test/emojis/neko',
        },
        host: 'misskey.test',
      },
    },
  }),
  'misskey-2025.10-like-unicode': misskey('Like', 'https://misskey.test/likes/9like2', [adas], {
    reaction: { name: '🎉', emoji: null },
  }),
  'misskey-2025.10-like-heart': misskey('Like', 'https://misskey.test/likes/9like3', [adas]),
  'misskey-2025.10-vote': misskey('Create', `${yuki}#votes/1/activity`, [`${yuki}#votes/1`]),
  'misskey-2025.10-flag': by('https://misskey.test/users/instance')('Flag', null, [ada]),
  'pixelfed-0.12-create-note': by('https://pixelfed.test/users/iris')(
    'Create',
    'https://pixelfed.test/p/iris/700000000000000001/activity',
    ['https://pixelfed.test/p/iris/700000000000000001'],
  ),
  'peertube-7.3-announce': by('https://peertube.test/video-channels/herbs')(
    'Announce',
    `${film}/announces/2`,
    [film],
  ),
  'lemmy-0.19-create-private-message': by('https://lemmy.test/u/jo')(
    'Create',
    'https://lemmy.test/activities/create/987d05fa-f637-46d7-85be-13d112bc269f',
    ['https://lemmy.test/private_message/1'],
  ),
  'lemmy-1.0-create-private-message': by('https://lemmy.test/u/jo')(
    'Create',
    'https://lemmy.test/activities/create/987d05fa-f637-46d7-85be-13d112bc26a0',
    ['https://lemmy.test/private_message/2'],
  ),
  'lemmy-0.19-announce-create': by('https://lemmy.test/c/plants')(
    'Announce',
    'https://lemmy.test/activities/announce/create/2',
    ['https://lemmy.test/activities/create/1'],
  ),
  'wordpress-7.4-create-article': by('https://blog.test/?author=1')(
    'Create',
    'https://blog.test/?p=42#activity-create-2026-10-26T08:00:00Z',
    ['https://blog.test/?p=42'],
  ),
  'bridgy-fed-2026-create-note': by('https://bsky.bridgy.test/ap/did:plc:abcdefghijklmnopqrstuvwx')(
    'Create',
    'https://bsky.bridgy.test/convert/ap/at://did:plc:abcdefghijklmnopqrstuvwx/app.bsky.feed.post/3kxyz#bridgy-fed-create',
    ['https://bsky.bridgy.test/convert/ap/at://did:plc:abcdefghijklmnopqrstuvwx/app.bsky.feed.post/3kxyz'],
  ),
  'friendica-2024.12-create-note': by('https://friendica.test/profile/olaf')(
    'Create',
    'https://friendica.test/objects/84b6ef2a-6710-1111/Create',
    ['https://friendica.test/objects/84b6ef2a-6710-1111'],
  ),
  'friendica-2024.12-like': by('https://friendica.test/profile/olaf')(
    'Like',
    'https://friendica.test/objects/like-1',
    [adas],
  ),
  'snac-2.80-create-note': by('https://snac.test/pat')(
    'Create',
    'https://snac.test/pat/p/1761800000.1/Create',
    ['https://snac.test/pat/p/1761800000.1'],
  ),
  'snac-2.80-follow': by('https://snac.test/pat')('Follow', 'https://snac.test/pat/d/1761800001/Follow', [
    ada,
  ]),
  'funkwhale-1.4-audio': by('https://funkwhale.test/federation/actors/radio')(
    'Create',
    'https://funkwhale.test/federation/music/uploads/1/activity',
    ['https://funkwhale.test/federation/music/uploads/1'],
  ),
  'relay-2-follow-public': by('https://relay.test/actor')('Follow', 'https://relay.test/activities/1', [
    'https://www.w3.org/ns/activitystreams#Public',
  ]),
}
