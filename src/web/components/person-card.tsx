import type { AuthorView } from '../status-view-model'
import { EmojiText } from './emoji-text'

export interface PersonView {
  readonly author: AuthorView
  /** Note of the account, shortened and without markup. */
  readonly intro: string
}

/** An account to meet. The whole card links to the profile. */
export function PersonCard({ person: { author, intro } }: { readonly person: PersonView }) {
  return (
    <a class="person" href={author.url}>
      <img class="avatar" src={author.avatarUrl} alt="" width="48" height="48" loading="lazy" />
      <span class="account-names">
        <strong>
          <EmojiText text={author.name} emojis={author.emojis} />
        </strong>
        <bdi class="muted">{author.handle}</bdi>
        {intro !== '' && <span class="person-intro">{intro}</span>}
      </span>
    </a>
  )
}

export function People({ people }: { readonly people: readonly PersonView[] }) {
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
