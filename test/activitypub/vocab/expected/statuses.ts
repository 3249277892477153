import type { RemoteStatus } from '../../../../src/domain/statuses/remote/remote-status'

export interface Expected {
  /** The followers collection of the author, as his actor names it. */
  readonly followers: string
  readonly read: Partial<RemoteStatus>
}

const LINK = 'rel="nofollow noopener noreferrer" target="_blank"'
const rosa = 'https://mastodon.test/users/rosa'
const note = `${rosa}/statuses/113400000000000001`
const hollo = 'https://hollo.test/@lin/0192f0aa-0000-7000-8000-000000000001'

const linkTo = (address: string) => `RE: <a href="${address}" ${LINK}>${address}</a>`
const inline = `<span class="quote-inline"><br /><br />${linkTo(note)}</span>`

const by = (followers: string) => (read: Partial<RemoteStatus>) => ({ followers, read })
const mastodon = by(`${rosa}/followers`)
const gotosocial = by('https://gotosocial.test/users/mo/followers')
const lin = by('https://hollo.test/@lin/followers')
const akkoma = by('https://akkoma.test/users/tove/followers')
const misskey = by('https://misskey.test/users/9abc/followers')
const lemmy = by('https://lemmy.test/u/jo/followers')
const peertube = by('https://peertube.test/accounts/vera/followers')

/** Expected results of reading the posts of the corpus, alone or in an activity, in properties that differ. */
export const statuses: Readonly<Record<string, Expected>> = {
  'mastodon-4.3-create-note': mastodon({
    uri: note,
    url: 'https://mastodon.test/@rosa/113400000000000001',
    author: rosa,
    visibility: 'public',
    spoilerText: 'plants, close',
    sensitive: true,
    language: 'en',
    inReplyTo: hollo,
    publishedAt: new Date('2026-10-30T09:15:00Z'),
    editedAt: null,
    mentioned: ['https://hollo.test/@lin'],
    silent: [],
    tags: [{ name: 'fern', display: 'Fern' }],
    emojis: [
      {
        shortcode: 'fern',
        image: { remote: 'https://files.mastodon.test/custom_emojis/images/000/000/017/original/fern.png' },
      },
    ],
    attachments: [
      {
        type: 'image',
        url: 'https://files.mastodon.test/media_attachments/files/113/original/f1.jpeg',
        previewUrl: null,
        description: 'A curled fern frond with dew',
        blurhash: 'UBL_:rOpGG-oBUNG,qRj2so|=eE1w^n4S5NH',
        meta: {
          original: { width: 1200, height: 900, size: '1200x900', aspect: 4 / 3 },
          focus: { x: -0.5, y: 0.25 },
        },
      },
      {
        type: 'video',
        url: 'https://files.mastodon.test/media_attachments/files/114/original/v1.mp4',
        previewUrl: null,
        description: null,
        blurhash: 'UBL_:rOpGG-oBUNG,qRj2so|=eE1w^n4S5NH',
        meta: { original: { width: 1280, height: 720, size: '1280x720', aspect: 16 / 9 } },
      },
    ],
    repliesUri: `${note}/replies`,
  }),
  'mastodon-4.3-update-note': mastodon({
    content: '<p>Look, a new frond!</p>',
    editedAt: new Date('2026-10-31T10:00:00Z'),
  }),
  'mastodon-4.3-note-private': mastodon({ visibility: 'private', mentioned: [] }),
  'mastodon-4.3-note-direct': mastodon({
    visibility: 'direct',
    mentioned: ['https://fieldfare.test/users/ada'],
    silent: [],
  }),
  'mastodon-4.3-question': mastodon({
    poll: {
      options: ['Lady fern', 'Royal fern'],
      tallies: [3, 2],
      multiple: false,
      votersCount: 5,
      expiresAt: new Date('2026-11-06T09:15:00Z'),
      closedAt: null,
    },
  }),
  'mastodon-4.3-question-closed': mastodon({
    poll: {
      options: ['Moss', 'Lichen'],
      tallies: [2, 1],
      multiple: true,
      votersCount: 2,
      expiresAt: new Date('2026-10-31T09:15:00Z'),
      closedAt: new Date('2026-10-31T09:15:00Z'),
    },
  }),
  'mastodon-4.5-note-quote': mastodon({
    content: '<p>So true.</p>',
    quote: { uri: hollo, authorization: 'https://hollo.test/@lin/quote-authorizations/1', legacy: false },
    quotePolicy: 'followers',
  }),
  'mastodon-4.5-note-quote-tombstone': mastodon({
    quote: { uri: '', authorization: null, legacy: false, gone: true },
    quotePolicy: 'public',
  }),
  'mastodon-4.6-note-unlisted': by('https://mastodon.test/ap/users/116000000000000001/followers')({
    author: 'https://mastodon.test/ap/users/116000000000000001',
    visibility: 'unlisted',
    quotePolicy: 'nobody',
  }),
  'gotosocial-0.19-create-note': gotosocial({
    visibility: 'public',
    language: 'de',
    mentioned: [rosa],
    silent: [],
    attachments: [
      {
        type: 'image',
        url: 'https://gotosocial.test/fileserver/01AY/attachment/original/01K.webp',
        previewUrl: null,
        description: 'a red apple',
        blurhash: 'LJN^xtt7~qM{M{WBt7xu_3%MayRj',
        meta: { focus: { x: 0.1, y: -0.2 } },
      },
    ],
    replyPolicy: 'public',
    reblogPolicy: 'public',
    quotePolicy: 'nobody',
  }),
  'gotosocial-0.20-note-policy': gotosocial({
    content: '<p>Bom dia</p>',
    language: 'pt',
    replyPolicy: 'followers',
    reblogPolicy: 'mentioned',
    quotePolicy: 'nobody',
  }),
  'hollo-0.7-create-note': lin({
    uri: hollo,
    visibility: 'public',
    language: 'ko',
    tags: [{ name: '봄', display: '봄' }],
    attachments: [
      {
        type: 'image',
        url: 'https://hollo.test/assets/media/01/original',
        previewUrl: null,
        description: '꽃',
        blurhash: null,
        meta: { original: { width: 640, height: 480, size: '640x480', aspect: 4 / 3 } },
      },
    ],
    quotePolicy: 'public',
    repliesUri: `${hollo}/replies`,
  }),
  'hollo-0.7-note-quote-link': lin({
    content: `<p>보기</p><p class="quote-inline"><span>${linkTo('https://mastodon.test/@rosa/113400000000000001')}</span></p>`,
    quote: { uri: note, authorization: null, legacy: true },
  }),
  'akkoma-3.15-create-note': akkoma({
    language: 'sv',
    inReplyTo: 'https://gotosocial.test/users/mo/statuses/01JBF00000000000000000001',
    sensitive: false,
    mentioned: ['https://gotosocial.test/users/mo'],
    emojis: [{ shortcode: 'blobcat', image: { remote: 'https://akkoma.test/emoji/blobcat.png' } }],
    attachments: [
      {
        type: 'audio',
        url: 'https://akkoma.test/media/song.mp3',
        previewUrl: null,
        description: null,
        blurhash: null,
        meta: {},
      },
    ],
  }),
  'akkoma-3.15-note-quote': akkoma({
    content: `ja${inline}`,
    visibility: 'private',
    quote: { uri: note, authorization: null, legacy: true },
  }),
  'akkoma-3.15-question': akkoma({
    poll: {
      options: ['te', 'kaffe'],
      tallies: [0, 4],
      multiple: true,
      votersCount: 4,
      expiresAt: null,
      closedAt: new Date('2026-10-31T00:00:00Z'),
    },
  }),
  'misskey-2025.10-create-note-quote': misskey({
    visibility: 'unlisted',
    content: `<p><span>みて </span><a href="https://misskey.test/tags/neko" ${LINK}>#neko</a>${inline}</p>`,
    spoilerText: 'ネタバレ',
    sensitive: true,
    tags: [{ name: 'neko', display: 'neko' }],
    quote: { uri: note, authorization: null, legacy: true },
  }),
  'misskey-2025.10-question': misskey({
    poll: {
      options: ['犬', '猫'],
      tallies: [1, 9],
      multiple: false,
      votersCount: null,
      expiresAt: null,
      closedAt: null,
    },
  }),
  'pixelfed-0.12-create-note': by('https://pixelfed.test/users/iris/followers')({
    author: 'https://pixelfed.test/users/iris',
    tags: [{ name: 'light', display: 'light' }],
    attachments: [
      {
        type: 'image',
        url: 'https://pixelfed.test/storage/m/_v2/1/a.jpg',
        previewUrl: null,
        description: 'A field at dusk',
        blurhash: 'LEHV6nWB2yk8pyo0adR*.7kCMdnj',
        meta: { original: { width: 1080, height: 1350, size: '1080x1350', aspect: 0.8 } },
      },
      {
        type: 'image',
        url: 'https://pixelfed.test/storage/m/_v2/1/b.jpg',
        previewUrl: null,
        description: null,
        blurhash: null,
        meta: {},
      },
    ],
  }),
  'peertube-7.3-video': peertube({
    author: 'https://peertube.test/accounts/vera',
    url: 'https://peertube.test/videos/watch/4e2c0f3a-2222-4b4b-9999-0a0a0a0a0a0a',
    content:
      '<p><strong>How ferns unroll</strong></p><p>A <strong>time lapse</strong> of a fern.</p>\n' +
      `<p>&lt;script&gt;no&lt;/script&gt; <a href="https://herbarium.test" ${LINK}>https://herbarium.test</a></p>` +
      `<p><a href="https://peertube.test/videos/watch/4e2c0f3a-2222-4b4b-9999-0a0a0a0a0a0a" ${LINK}>` +
      'https://peertube.test/videos/watch/4e2c0f3a-2222-4b4b-9999-0a0a0a0a0a0a</a></p>',
    language: 'en',
    editedAt: new Date('2026-10-25T10:00:00Z'),
    tags: [
      { name: 'ferns', display: 'ferns' },
      { name: 'timelapse', display: 'timelapse' },
    ],
    attachments: [
      {
        type: 'video',
        url: 'https://peertube.test/static/streaming-playlists/hls/4e/720-fragmented.mp4',
        previewUrl: 'https://peertube.test/lazy-static/previews/4e.jpg',
        description: null,
        blurhash: null,
        meta: { original: { width: 1280, height: 720, size: '1280x720', aspect: 16 / 9, duration: 615 } },
      },
    ],
  }),
  'peertube-7.3-comment': peertube({ content: '<p>nice</p>', editedAt: null }),
  'lemmy-0.19-page': lemmy({
    content:
      '<p><strong>Is this &lt;edible&gt;?</strong></p><p>Found it <strong>here</strong></p>\n' +
      `<p><a href="https://lemmy.test/post/123" ${LINK}>https://lemmy.test/post/123</a></p>`,
    url: null,
    language: 'en',
    mentioned: ['https://lemmy.test/c/plants'],
    silent: ['https://lemmy.test/c/plants'],
    attachments: [
      {
        type: 'image',
        url: 'https://lemmy.test/pictrs/image/found.webp',
        previewUrl: null,
        description: null,
        blurhash: null,
        meta: {},
      },
    ],
  }),
  'lemmy-0.19-comment': lemmy({
    inReplyTo: 'https://lemmy.test/post/123',
    language: null,
    mentioned: ['https://fieldfare.test/users/ada', 'https://lemmy.test/c/plants'],
    silent: ['https://lemmy.test/c/plants'],
  }),
  'wordpress-7.4-create-article': by('https://blog.test/wp-json/activitypub/1.0/actors/1/followers')({
    uri: 'https://blog.test/?p=42',
    url: 'https://blog.test/2026/10/a-walk/',
    content:
      '<p><strong>A walk &amp; a wood</strong></p><p>A long walk through the wood […]</p>' +
      `<p><a href="https://blog.test/2026/10/a-walk/" ${LINK}>https://blog.test/2026/10/a-walk/</a></p>`,
    spoilerText: '',
    sensitive: false,
    language: 'en',
    editedAt: null,
    attachments: [
      {
        type: 'image',
        url: 'https://blog.test/wp-content/uploads/wood.jpg',
        previewUrl: null,
        description: 'A wood',
        blurhash: null,
        meta: {},
      },
    ],
    quotePolicy: 'public',
  }),
  'bridgy-fed-2026-create-note': by('https://bsky.bridgy.test/ap/did:plc:abcdefghijklmnopqrstuvwx/followers')(
    {
      url: 'https://bsky.bridgy.test/r/https://bsky.app/profile/kit.sky.test/post/3kxyz',
      quote: {
        uri: 'https://bsky.bridgy.test/convert/ap/at://did:plc:y/app.bsky.feed.post/1',
        authorization: null,
        legacy: true,
      },
      attachments: [
        {
          type: 'image',
          url: 'https://cdn.bsky.test/img/feed_fullsize/plain/did:plc:x/bafk@jpeg',
          previewUrl: null,
          description: 'Two jays',
          blurhash: null,
          meta: { original: { width: 2000, height: 1000, size: '2000x1000', aspect: 2 } },
        },
      ],
    },
  ),
  'friendica-2024.12-create-note': by('https://friendica.test/followers/olaf')({
    content:
      '<p><strong>Snow report</strong></p><p><strong>Snow</strong></p><blockquote><p>deep</p></blockquote>' +
      '<ul><li>white</li><li>cold</li></ul>',
    language: 'nb',
    mentioned: [],
    attachments: [
      {
        type: 'image',
        url: 'https://friendica.test/photo/1-0.png',
        previewUrl: null,
        description: 'snow',
        blurhash: null,
        meta: { original: { width: 800, height: 600, size: '800x600', aspect: 4 / 3 } },
      },
    ],
  }),
  'snac-2.80-create-note': by('https://snac.test/pat/followers')({ content: 'plain<br /><br />text' }),
  'mobilizon-5.1-event': by('https://mobilizon.test/@greens/followers')({
    author: 'https://mobilizon.test/@greens',
    content:
      '<p><strong>Moss walk</strong></p><p>2026-12-05 13:00 UTC, Parc de la Tête d&#39;Or</p><p>Bring boots.</p>' +
      `<p><a href="https://mobilizon.test/events/7a" ${LINK}>https://mobilizon.test/events/7a</a></p>`,
  }),
  'funkwhale-1.4-audio': by('https://funkwhale.test/federation/actors/radio/followers')({
    url: 'https://funkwhale.test/library/tracks/1',
    attachments: [
      {
        type: 'audio',
        url: 'https://funkwhale.test/api/v1/listen/1/?to=mp3&download=false',
        previewUrl: 'https://funkwhale.test/media/cover.jpg',
        description: null,
        blurhash: null,
        meta: { original: { duration: 182 } },
      },
    ],
  }),
  'writefreely-0.15-article': by('https://writefreely.test/api/collections/zoe/followers')({
    content:
      '<p><strong>Pensées</strong></p><p>Short thoughts.</p>' +
      `<p><a href="https://writefreely.test/zoe/pensees" ${LINK}>https://writefreely.test/zoe/pensees</a></p>`,
    language: 'fr',
  }),
}
