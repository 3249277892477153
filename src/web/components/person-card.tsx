import type { ShownAuthor } from '../shown-status'
import { EmojiText } from './emoji-text'

export interface ShownPerson {
  readonly author: ShownAuthor
  /** How they introduce themselves, shortened and without markup. */
  readonly intro: string
}

/** Somebody to meet: the whole card leads to their profile. */
export function PersonCard({ person: { author, intro } }: { readonly person: ShownPerson }) {
  return (
    <a class="person" href={author.url}>
      <img class="avatar" src={author.avatarUrl} alt="" width="48" height="48" loading="lazy" />
      <span class="account-names">
        <strong>
          <EmojiText text={author.name} emojis={author.emojis} />
        </strong>
        <span class="muted">{author.handle}</span>
        {intro !== '' && <span class="person-intro">{intro}</span>}
      </span>
    </a>
  )
}

export function People({ people }: { readonly people: readonly ShownPerson[] }) {
  return (
    <ul class="people">
      {people.map((person) => (
        <li>
          <PersonCard person={person} />
        </li>
      ))}
    </ul>
  )
}
