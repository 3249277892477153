import type { RemoteActor } from '../../../../src/domain/accounts/remote-rows'

/** Key ids in place of keys: their text is the same everywhere. */
type Expected = Partial<Omit<RemoteActor, 'keys'>> & { readonly keys?: readonly string[] }

/** Expected results of reading the actors of the corpus, in properties that differ. */
export const actors: Readonly<Record<string, Expected>> = {
  'mastodon-4.3-actor': {
    uri: 'https://mastodon.test/users/rosa',
    username: 'rosa',
    domain: 'mastodon.test',
    url: 'https://mastodon.test/@rosa',
    type: 'Person',
    displayName: 'Rosa :fern:',
    fields: [
      {
        name: 'Garden',
        value: 'https://herbarium.test',
        html: '<a href="https://herbarium.test" translate="no" rel="nofollow noopener noreferrer" target="_blank"><span class="invisible">https://</span><span>herbarium.test</span><span class="invisible"></span></a>',
        verifiedAt: null,
      },
      { name: 'Pronouns', value: 'she/her', html: 'she/her', verifiedAt: null },
    ],
    emojis: [
      {
        shortcode: 'fern',
        image: {
          remote: 'https://files.mastodon.test/custom_emojis/images/000/000/017/original/fern.png',
        },
      },
    ],
    avatar: { url: 'https://files.mastodon.test/accounts/avatars/109/original/a1.jpg', description: '' },
    header: { url: 'https://files.mastodon.test/accounts/headers/109/original/h1.png', description: '' },
    locked: true,
    discoverable: true,
    indexable: true,
    memorial: false,
    suspended: false,
    attributionDomains: ['herbarium.test'],
    alsoKnownAs: ['https://old.test/users/rosa'],
    movedTo: null,
    publishedAt: new Date('2022-11-05T00:00:00Z'),
    inbox: 'https://mastodon.test/users/rosa/inbox',
    sharedInbox: 'https://mastodon.test/inbox',
    outbox: 'https://mastodon.test/users/rosa/outbox',
    followers: 'https://mastodon.test/users/rosa/followers',
    following: 'https://mastodon.test/users/rosa/following',
    featured: 'https://mastodon.test/users/rosa/collections/featured',
    featuredTags: 'https://mastodon.test/users/rosa/collections/tags',
    keys: ['https://mastodon.test/users/rosa#main-key'],
  },
  'mastodon-4.3-instance-actor': {
    username: 'mastodon.test',
    type: 'Application',
    displayName: '',
    noteHtml: '',
    avatar: null,
    followers: null,
    discoverable: null,
  },
  'mastodon-4.4-actor-moved': {
    memorial: true,
    suspended: true,
    discoverable: null,
    movedTo: 'https://hollo.test/@rosa',
  },
  'mastodon-4.6-actor': {
    uri: 'https://mastodon.test/ap/users/116000000000000001',
    username: 'nadia',
    claimedHandle: { username: 'nadia', domain: 'mastodon.test' },
    discoverable: false,
    indexable: false,
    avatar: {
      url: 'https://files.mastodon.test/accounts/avatars/116/original/a.webp',
      description: 'A woman on a bicycle',
    },
  },
  'gotosocial-0.19-actor': {
    locked: true,
    avatar: {
      url: 'https://gotosocial.test/fileserver/01AY/avatar/original/01J.jpg',
      description: 'A sloth hanging from a branch',
    },
    header: null,
    sharedInbox: 'https://gotosocial.test/sharedInbox',
    keys: ['https://gotosocial.test/users/mo/main-key'],
  },
  'hollo-0.7-actor': {
    displayName: '린 Lin',
    fields: [
      {
        name: 'Blog',
        value: 'lin.test',
        html: '<a href="https://lin.test/" rel="nofollow noopener noreferrer" target="_blank">lin.test</a>',
        verifiedAt: null,
      },
    ],
    keys: ['https://hollo.test/@lin#main-key', 'https://hollo.test/@lin#key-2'],
  },
  'akkoma-3.15-actor': {
    noteHtml: 'line one<br />line two',
    emojis: [{ shortcode: 'blobcat', image: { remote: 'https://akkoma.test/emoji/blobcat.png' } }],
    discoverable: false,
    featuredTags: null,
  },
  'misskey-2025.10-actor': {
    uri: 'https://misskey.test/users/9abc',
    username: 'yuki',
    url: 'https://misskey.test/@yuki',
    displayName: 'ゆき :neko:',
    emojis: [{ shortcode: 'neko', image: { remote: 'https://files.misskey.test/neko.png' } }],
    header: null,
  },
  'pixelfed-0.12-actor': { username: 'iris', sharedInbox: 'https://pixelfed.test/f/inbox', indexable: true },
  'peertube-7.3-actor-person': {
    type: 'Person',
    avatar: { url: 'https://peertube.test/lazy-static/avatars/120.png', description: '' },
  },
  'peertube-7.3-actor-channel': {
    type: 'Group',
    displayName: 'Herbs',
    noteHtml: 'Plants on film',
    avatar: null,
    header: { url: 'https://peertube.test/lazy-static/banners/1.jpg', description: '' },
  },
  'lemmy-0.19-actor-community': { type: 'Group', url: null, displayName: 'Plants' },
  'lemmy-0.19-actor-person': { displayName: '', followers: null },
  'wordpress-7.4-actor': {
    uri: 'https://blog.test/?author=1',
    inbox: 'https://blog.test/wp-json/activitypub/1.0/actors/1/inbox',
    url: 'https://blog.test/author/wanda/',
    attributionDomains: ['blog.test'],
    keys: ['https://blog.test/?author=1#main-key'],
  },
  'bridgy-fed-2026-actor': {
    username: 'kit.sky.test',
    url: 'https://bsky.bridgy.test/r/https://bsky.app/profile/kit.sky.test',
    alsoKnownAs: [],
    keys: ['https://bsky.bridgy.test/ap/did:plc:abcdefghijklmnopqrstuvwx#key'],
    avatar: {
      url: 'https://cdn.bsky.test/img/avatar/plain/did:plc:abcdefghijklmnopqrstuvwx/bafkrei@jpeg',
      description: '',
    },
  },
  'friendica-2024.12-actor': { noteHtml: '<b>Snow</b>', followers: 'https://friendica.test/followers/olaf' },
  'snac-2.80-actor': { avatar: { url: 'https://snac.test/susie.png', description: '' }, header: null },
  'writefreely-0.15-actor': { avatar: null, displayName: 'Zoe' },
  'relay-2-actor': { type: 'Application', keys: ['https://relay.test/actor#main-key'] },
}
