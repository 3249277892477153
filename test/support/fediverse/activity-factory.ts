import { clock } from '../test-app'
import { type Activity, type Addresses, collection, type Document, publicCollection } from './documents'
import type { Network } from './network'

export type RemoteVisibility = 'public' | 'unlisted' | 'private' | 'direct'

/** An account to mention: a local one or another peer. */
export interface Mentioned {
  readonly uri: string
  readonly handle: string
}

export interface NoteOptions {
  readonly visibility?: RemoteVisibility
  readonly mentions?: readonly Mentioned[]
  readonly content?: string
  readonly inReplyTo?: string | null
  readonly hashtags?: readonly string[]
  /** Served at its address too; true when absent. */
  readonly served?: boolean
  /** Laid over what Mastodon would write. */
  readonly document?: Document
}

export interface QuestionOptions extends NoteOptions {
  readonly options?: readonly string[]
  readonly multiple?: boolean
  readonly endsAt?: Date
}

export type Note = Activity & { readonly attributedTo: string }

const context = 'https://www.w3.org/ns/activitystreams'

let made = 0

/** Makes objects and activities of one actor in the form Mastodon gives them. */
export class ActivityFactory {
  readonly network: Network
  readonly uri: string
  readonly followers: string
  /** Document at the actor's address; a change in place is served. */
  readonly document: Record<string, unknown>
  readonly #at: Addresses

  constructor({
    network,
    at,
    document,
  }: { network: Network; at: Addresses; document: Record<string, unknown> }) {
    this.network = network
    this.uri = at.uri
    this.followers = at.followers
    this.document = document
    this.#at = at
  }

  /** A note of this actor, public unless told otherwise, on its server to be fetched. */
  note(options: NoteOptions = {}): Note {
    const { content = '<p>A wren.</p>', inReplyTo = null, served = true } = options
    const id = this.freshId('statuses')
    const now = clock.now().toISOString()
    const note = {
      '@context': context,
      id,
      type: 'Note',
      url: `${this.#at.url}/${id.split('/').at(-1)}`,
      attributedTo: this.uri,
      published: now,
      ...this.#audience(options),
      content,
      contentMap: { en: content },
      summary: null,
      sensitive: false,
      inReplyTo,
      attachment: [],
      tag: tagsOf(options),
      replies: { id: `${id}/replies`, type: 'Collection', first: { type: 'CollectionPage', items: [] } },
      ...options.document,
    }
    if (served) this.network.serve(id, note)
    return note
  }

  question(options: QuestionOptions = {}): Note {
    const { options: names = ['Wren', 'Robin'], multiple = false, endsAt } = options
    const choices = names.map((name) => ({
      type: 'Note',
      name,
      replies: { type: 'Collection', totalItems: 0 },
    }))
    const end = endsAt ?? new Date(clock.now().getTime() + 86_400_000)
    const document = {
      type: 'Question',
      [multiple ? 'anyOf' : 'oneOf']: choices,
      endTime: end.toISOString(),
      votersCount: 0,
      ...options.document,
    }
    return this.note({ ...options, document })
  }

  create(note: Document, over: Document = {}): Activity {
    const { to, cc, published } = note
    return this.activity('Create', note, { id: `${note['id']}/activity`, published, to, cc, ...over })
  }

  update(object: Document = this.document, over: Document = {}): Activity {
    const { to = [publicCollection], cc = [] } = object
    return this.activity('Update', object, { to, cc, ...over })
  }

  /** Deletes a status, by Tombstone as Mastodon does. */
  delete(object: string | Document, over: Document = {}): Activity {
    const id = typeof object === 'string' ? object : String(object['id'])
    const tombstone = { id, type: 'Tombstone', atomUri: id }
    return this.activity('Delete', tombstone, { id: `${id}#delete`, to: [publicCollection], ...over })
  }

  /** Deletes the actor itself; its address answers 410 from then on. */
  deleteSelf(): Activity {
    this.network.gone(this.uri)
    return this.activity('Delete', this.uri, { id: `${this.uri}#delete`, to: [publicCollection] })
  }

  announce(object: unknown, over: Document = {}): Activity {
    const audience = { to: [publicCollection], cc: [this.followers] }
    return this.activity('Announce', object, { published: clock.now().toISOString(), ...audience, ...over })
  }

  like(object: unknown, over: Document = {}): Activity {
    return this.activity('Like', object, over)
  }

  emojiReact(object: unknown, content: string, over: Document = {}): Activity {
    return this.activity('EmojiReact', object, { content, ...over })
  }

  follow(target: string | { readonly uri: string }, over: Document = {}): Activity {
    return this.activity('Follow', typeof target === 'string' ? target : target.uri, over)
  }

  /** A vote as Mastodon casts it: a note with a name and no content, to the author alone. */
  vote(question: { readonly id: string; readonly author: string }, name: string): Activity {
    const id = `${this.uri}#votes/${this.#next()}`
    const vote = {
      id,
      type: 'Note',
      name,
      attributedTo: this.uri,
      to: question.author,
      inReplyTo: question.id,
    }
    return this.activity('Create', vote, { id: `${id}/activity`, to: question.author })
  }

  undo(activity: Document, over: Document = {}): Activity {
    return this.activity('Undo', activity, { id: `${activity['id']}/undo`, to: activity['to'], ...over })
  }

  accept(object: unknown, over: Document = {}): Activity {
    return this.activity('Accept', object, over)
  }

  reject(object: unknown, over: Document = {}): Activity {
    return this.activity('Reject', object, over)
  }

  block(target: { readonly uri: string }): Activity {
    return this.activity('Block', target.uri)
  }

  flag(objects: readonly string[], content: string): Activity {
    return this.activity('Flag', objects, { content })
  }

  move(target: { readonly uri: string }): Activity {
    return this.activity('Move', this.uri, { target: target.uri, to: this.followers })
  }

  /** Add or Remove of a pinned status. */
  pin(type: 'Add' | 'Remove', object: string): Activity {
    return this.activity(type, object, { target: this.#at.featured })
  }

  /** Any activity of this actor; `over` stands over everything. */
  activity(type: string, object: unknown, over: Document = {}): Activity {
    const id = `${this.uri}#${type.toLowerCase()}s/${this.#next()}`
    return { '@context': context, id, type, actor: this.uri, object, ...over }
  }

  /** Serves a collection of this actor's: `outbox`, `featured`, or any address. */
  collection(url: string, items: readonly unknown[]): void {
    this.network.serve(url, collection(url, items))
  }

  freshId(kind: string): string {
    return `${this.uri}/${kind}/${this.#next()}`
  }

  #next(): number {
    made += 1
    return 1000 + made
  }

  #audience({ visibility = 'public', mentions = [] }: NoteOptions) {
    const people = mentions.map(({ uri }) => uri)
    if (visibility === 'public') return { to: [publicCollection], cc: [this.followers, ...people] }
    if (visibility === 'unlisted') return { to: [this.followers], cc: [publicCollection, ...people] }
    if (visibility === 'private') return { to: [this.followers], cc: people }
    return { to: people, cc: [] }
  }
}

function tagsOf({ mentions = [], hashtags = [] }: NoteOptions): readonly Document[] {
  return [
    ...mentions.map(({ uri, handle }) => ({ type: 'Mention', href: uri, name: `@${handle}` })),
    ...hashtags.map((name) => ({ type: 'Hashtag', href: `https://tags.test/${name}`, name: `#${name}` })),
  ]
}
