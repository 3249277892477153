import { problem } from '../../src/errors/sentences'
import { explorePlaces } from '../../src/web/explore-places'
import { AnnualReportPage } from '../../src/web/pages/annual-report'
import { CollectionPage } from '../../src/web/pages/collection'
import { EmbedPage } from '../../src/web/pages/embed'
import { ExplorePage } from '../../src/web/pages/explore/page'
import { AuthorizeInteractionPage } from '../../src/web/pages/interact/authorize-view'
import { errorOf, RemoteInteractionPage } from '../../src/web/pages/interact/remote-view'
import { PostsPage } from '../../src/web/pages/posts'
import { StatusPage } from '../../src/web/pages/profile/status'
import { ProfilePage } from '../../src/web/pages/profile/view'
import { TagPage } from '../../src/web/pages/tag'
import type { ProfileHeadProps } from '../../src/web/people/profile-head'
import type { PostView } from '../../src/web/posts/post-view'
import { LeavingPage } from '../../src/web/redirect'
import type { MediaView } from '../../src/web/status-view-model'
import { Shown } from '../support/shown'
import type { NamedPage, StrangersWords } from './every-page'

const site = {
  title: 'Hedgerow',
  domain: 'hedgerow.example',
  version: '0.1.0',
  hasTerms: true,
  start: '/home',
  client: null,
  logo: null,
  accentSheet: null,
  ownSheet: null,
  customSheet: null,
  places: explorePlaces,
  host: 'social.hedgerow.example',
  sourceUrl: 'https://source.example/fieldfare',
}
const visitor = { site, viewer: null }
const about = {
  url: 'https://hedgerow.example/@ada',
  activityUri: 'https://hedgerow.example/users/ada',
}
const emojis = new Map([['wren', '/assets/logo.svg']])
const at = new Date('2026-11-01T08:30:00Z')

function authorOf({ displayName, username }: StrangersWords) {
  return {
    name: `${displayName} :wren:`,
    emojis,
    handle: `@${username}@hedgerow.example`,
    url: about.url,
    avatarUrl: '/assets/avatar.webp',
    id: '1',
    acct: username,
    path: '/@ada',
  }
}

function plain(words: StrangersWords): PostView {
  return {
    id: '1',
    entryId: '1',
    url: 'https://hedgerow.example/@ada/1',
    path: '/@ada/1',
    author: authorOf(words),
    boostedBy: null,
    boostedAt: null,
    isRemote: false,
    createdAt: at,
    isEdited: false,
    visibility: 'public',
    isLocalOnly: false,
    parentId: null,
    replyTo: null,
    headline: words.reason,
    reactions: [],
    state: null,
    filter: null,
    warning: null,
    language: 'en',
    isSensitive: false,
    media: [],
    poll: null,
    card: null,
    quote: null,
    html: '<p>Two fieldfares in the apple tree this morning, and one <a href="https://hedgerow.example/tags/redwing">#redwing</a>.</p>',
    counts: { replies: 0, reblogs: 0, favourites: 0 },
  }
}

const picture: Omit<MediaView, 'description'> = {
  kind: 'image',
  url: '/assets/preview.png',
  previewUrl: null,
  width: 1200,
  height: 630,
}

const linked = {
  url: 'https://birds.example/fieldfare',
  title: 'Fieldfares are back',
  description: '',
  provider: 'birds.example',
  imageUrl: '/assets/preview.png',
}

/** Statuses in every state that looks different. */
function posts(words: StrangersWords): readonly PostView[] {
  const status = plain(words)
  const { reason: description } = words
  const sound = { ...picture, kind: 'audio' as const, width: null, height: null, description }
  const options = [
    { title: words.applicationName, votes: 7, isOwn: false },
    { title: 'Redwing', votes: 3, isOwn: false },
  ]
  const poll = {
    id: '1',
    isMultiple: false,
    isClosed: true,
    closesAt: at,
    voters: 10,
    hasVoted: false,
    options,
  }
  const wren = { count: 2, isOwn: false }
  const card = { ...linked, author: null }
  const kinds: readonly PostView[] = [
    { ...status, isEdited: true, counts: { replies: 1, reblogs: 2, favourites: 1_204 } },
    { ...status, media: [{ ...picture, description }] },
    {
      ...status,
      html: '',
      media: [
        { ...picture, description },
        { ...picture, description: '' },
      ],
    },
    { ...status, isSensitive: true, media: [{ ...picture, kind: 'video', description }] },
    { ...status, media: [sound, { ...sound, kind: 'unknown' }] },
    { ...status, warning: words.reason },
    { ...status, card: { ...card, title: words.applicationName, description: words.reason } },
    { ...status, card: { ...card, imageUrl: null, author: status.author }, isSensitive: true },
    { ...status, quote: { state: 'unseen' } },
    { ...status, quote: { state: 'accepted', post: { ...status, media: [{ ...picture, description }] } } },
    { ...status, quote: { state: 'accepted', post: { ...status, warning: words.reason } } },
    { ...status, visibility: 'private', counts: { replies: 3, reblogs: 0, favourites: 0 } },
    { ...status, replyTo: { acct: words.username, path: '/@bo/1', isOwnThread: false }, parentId: '9' },
    {
      ...status,
      reactions: [
        { ...wren, name: '🐦', url: null },
        { ...wren, name: 'wren', url: '/assets/logo.svg' },
      ],
    },
    { ...status, poll },
    {
      ...status,
      poll: { ...poll, isClosed: false, voters: 1, options: options.map((one) => ({ ...one, votes: null })) },
    },
  ]
  return kinds.map((one, index) => ({ ...one, id: String(index + 1), entryId: String(index + 1) }))
}

function headOf(words: StrangersWords): ProfileHeadProps {
  return {
    profile: {
      ...authorOf(words),
      fullHandle: `@${words.username}@hedgerow.example`,
      domain: null,
      isOwn: false,
      button: null,
      followsYou: false,
      hiding: null,
      headerUrl: '/assets/header.webp',
      headerDescription: words.reason,
      avatarDescription: '',
      noteHtml: '<p>Counts birds along the river. Mornings mostly.</p>',
      fields: [
        {
          name: words.applicationName,
          html: '<a href="https://ada.example">ada.example</a>',
          isVerified: true,
        },
        { name: 'Pronouns', html: 'she/her', isVerified: false },
      ],
      roles: [],
      isBot: false,
      isLocked: true,
      isMemorial: false,
      movedTo: null,
      joinedAt: at,
      counts: { posts: 1_204, following: 88, followers: 412 },
      hidesPeople: false,
      relationship: null,
    },
    tags: [{ name: words.applicationName, posts: 3 }],
    imports: [{ source: { name: '@ada@old.example', url: 'https://old.example/@ada' } }, { source: null }],
    familiar: { people: [], count: 0 },
  }
}

function collectionPage(words: StrangersWords, isSensitive = false) {
  const person = {
    displayName: words.displayName,
    acct: words.username,
    avatarUrl: '/assets/avatar.webp',
    url: about.url,
  }
  return {
    ...visitor,
    about,
    isIndexable: true,
    owner: { ...person, handle: `@${words.username}@hedgerow.example` },
    collection: {
      name: words.applicationName,
      description: words.reason,
      language: 'en',
      isSensitive,
      tag: { name: 'birds', url: 'https://hedgerow.example/tags/birds' },
      updatedAt: at,
    },
    members: [person, { ...person, acct: `${words.username}@far.example` }],
  }
}

/** The pages of people and their statuses. */
export function contentPages(words: StrangersWords): readonly NamedPage[] {
  const [first, second, ...others] = posts(words)
  if (first === undefined || second === undefined) throw new Error('there are posts to show')
  const head = headOf(words)
  const feeds = { title: words.displayName, rss: `${about.url}.rss`, atom: `${about.url}.atom` }
  const page = {
    ...visitor,
    about,
    head,
    text: words.reason,
    pinned: [],
    tab: 'posts' as const,
    isContinued: false,
    isIndexable: true,
    feeds,
  }
  const tag = {
    ...visitor,
    name: 'birds',
    url: 'https://hedgerow.example/tags/birds',
    imageUrl: '/assets/preview.png',
    feeds,
    newestUrl: null,
    olderUrl: '/tags/birds?max_id=1',
  }
  const gone = {
    ...head,
    profile: {
      ...head.profile,
      movedTo: { acct: `${words.username}@far.example`, path: '/@ada@far.example' },
      isMemorial: true,
      isBot: true,
      fields: [],
      noteHtml: '',
      hidesPeople: true,
    },
  }
  const post = {
    ...visitor,
    about,
    text: words.reason,
    imageUrl: '/assets/avatar.webp',
    isIndexable: false,
    headline: words.reason,
    isForAll: true,
  }
  return [
    {
      name: 'profile',
      page: (
        <Shown
          of={ProfilePage}
          {...page}
          pinned={[{ ...first, id: '98', entryId: '98' }]}
          posts={posts(words)}
          tagged={null}
          olderUrl="/@ada?max_id=1"
        />
      ),
    },
    {
      name: 'profile-media',
      page: (
        <Shown
          of={ProfilePage}
          {...page}
          tab="media"
          posts={[
            ...posts(words),
            { ...second, id: '98', entryId: '98', warning: words.reason },
            { ...second, id: '99', entryId: '99', visibility: 'private' },
          ]}
          tagged={null}
          olderUrl="/@ada/media?max_id=1"
        />
      ),
    },
    {
      name: 'profile-empty',
      page: (
        <Shown
          of={ProfilePage}
          {...page}
          head={gone}
          posts={[]}
          tab={null}
          tagged="birds"
          olderUrl={null}
          isContinued
        />
      ),
    },
    { name: 'tag', page: <Shown of={TagPage} {...tag} posts={posts(words)} /> },
    {
      name: 'tag-older',
      page: <Shown of={TagPage} {...tag} posts={[first]} newestUrl="/tags/birds" olderUrl={null} />,
    },
    {
      name: 'posts',
      page: (
        <Shown
          of={PostsPage}
          {...visitor}
          place="local"
          posts={posts(words)}
          newestUrl={null}
          olderUrl="/public/local?max_id=1"
        />
      ),
    },
    {
      name: 'explore',
      page: (
        <Shown
          of={ExplorePage}
          {...visitor}
          posts={posts(words)}
          tags={[{ name: words.applicationName, url: about.url, people: 3 }]}
          links={[{ ...linked, title: words.applicationName, description: words.reason }]}
        />
      ),
    },
    {
      name: 'explore-empty',
      page: <Shown of={ExplorePage} {...visitor} posts={[]} tags={[]} links={[]} />,
    },
    { name: 'tag-unused', page: <Shown of={TagPage} {...tag} posts={[]} feeds={null} olderUrl={null} /> },
    {
      name: 'annual-report',
      page: (
        <Shown
          of={AnnualReportPage}
          {...{ ...visitor, url: about.url, author: authorOf(words), year: 2026, archetype: 'replier' }}
          {...{ statuses: 1_204, followers: 1, tag: { name: words.username, count: 31 }, top: first }}
        />
      ),
    },
    { name: 'collection', page: <Shown of={CollectionPage} {...collectionPage(words)} /> },
    {
      name: 'collection-sensitive',
      page: <Shown of={CollectionPage} {...collectionPage(words, true)} members={[]} isIndexable={false} />,
    },
    ...interactionPages(words),
    {
      name: 'leaving',
      page: <Shown of={LeavingPage} {...visitor} url={`https://far.example/@${words.username}/1`} />,
    },
    {
      name: 'status',
      page: <Shown of={StatusPage} {...post} post={second} imported={null} ancestors={[]} replies={[]} />,
    },
    {
      name: 'status-own',
      page: (
        <Shown
          of={StatusPage}
          {...post}
          post={{ ...first, visibility: 'private' }}
          imported={{ source: { name: '@ada@old.example', url: 'https://old.example/@ada' } }}
          ancestors={[]}
          replies={[]}
          isForAll={false}
        />
      ),
    },
    { name: 'status-embedded', page: <Shown of={EmbedPage} site={site} post={first} /> },
    {
      name: 'status-in-thread',
      page: (
        <Shown
          of={StatusPage}
          {...post}
          post={first}
          imported={{ source: null }}
          ancestors={[second]}
          replies={others.map((one) => ({ ...one, parentId: first.id }))}
        />
      ),
    },
  ]
}

/** Pages that lead to another server, and those where addresses from other servers are opened. */
function interactionPages(words: StrangersWords): readonly NamedPage[] {
  const csrfToken = 'a-token-against-forgery'
  const author = authorOf(words)
  const remote = {
    ...visitor,
    csrfToken,
    action: '/users/ada/remote_follow',
    target: { interaction: 'follow' as const, uri: about.activityUri, author },
    typed: '',
    signInUrl: '/auth/sign_in',
    mayJoin: true,
  }
  const member = { displayName: 'Bo', acct: 'bo', url: about.url, avatarUrl: '/assets/avatar.webp' }
  const open = { site, viewer: member, csrfToken, errors: {}, message: null, uri: about.url, text: '' }
  const account = {
    kind: 'account' as const,
    id: '1',
    person: { person: author, intro: words.reason },
    state: 'none' as const,
    isLocked: true,
  }
  const status = {
    kind: 'status' as const,
    id: '1',
    post: plain(words),
    asked: 'reply' as const,
    isFavourited: false,
    isReblogged: false,
    mayReblog: true,
    mention: '@ada ',
  }
  const missing = { kind: 'missing' as const }
  const refused = { fields: { text: [problem('too_long', { field: 'text', max: 500 })] } }
  return [
    { name: 'remote-follow', page: <Shown of={RemoteInteractionPage} {...remote} /> },
    {
      name: 'remote-reply-refused',
      page: (
        <Shown
          of={RemoteInteractionPage}
          {...remote}
          action="/interact/1?type=reply"
          target={{ ...remote.target, interaction: 'reply' }}
          typed={words.reason}
          errors={{ fields: { handle: [errorOf({ kind: 'missing', domain: 'far.example' })] } }}
        />
      ),
    },
    {
      name: 'interaction-none',
      page: <Shown of={AuthorizeInteractionPage} {...open} uri="" subject={null} />,
    },
    {
      name: 'interaction-missing',
      page: <Shown of={AuthorizeInteractionPage} {...open} uri={words.reason} subject={missing} />,
    },
    {
      name: 'interaction-account',
      page: <Shown of={AuthorizeInteractionPage} {...open} subject={account} />,
    },
    {
      name: 'interaction-status',
      page: (
        <Shown
          of={AuthorizeInteractionPage}
          {...open}
          subject={status}
          errors={refused}
          text={words.reason}
          message="admin.saved"
        />
      ),
    },
  ]
}
