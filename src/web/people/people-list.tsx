import type { Child } from 'hono/jsx'
import { smallAvatar } from '../../contract/small-avatars'
import { EmojiText } from '../components/emoji-text'
import { Icon } from '../components/icon'
import { useTranslation } from '../i18n/context'
import type { PersonView } from '../posts/post-view'
import type { RelatedPerson } from './profile-view'
import { PersonForm, RelationButton } from './relation-button'

export interface PeopleListProps {
  readonly people: readonly RelatedPerson[]
  /** Suggestions have a button that ends them. */
  readonly areSuggestions?: boolean
}

/** Rows of people, each with its button. */
export function PeopleList({ people, areSuggestions = false }: PeopleListProps) {
  return (
    <ul class="rows">
      {people.map((person) => (
        <li class="person" id={`a-${person.id}`}>
          <PersonRow person={person} isSuggestion={areSuggestions} />
        </li>
      ))}
    </ul>
  )
}

interface PersonRowProps {
  readonly person: RelatedPerson
  readonly isSuggestion: boolean
}

function PersonRow({ person, isSuggestion }: PersonRowProps) {
  const t = useTranslation()
  const { id, followsYou, isOwn } = person
  const tag = followsYou && (
    <>
      {' '}
      <span class="tag">{t('client.person.followsYou')}</span>
    </>
  )
  return (
    <>
      <PersonLine person={person} tag={tag} />
      {!isOwn && (
        <PersonForm id={id} anchor={`#a-${id}`}>
          <RelationButton person={person} isLow />
          {isSuggestion && (
            <button
              type="submit"
              class="plain"
              name="act"
              value="dismiss"
              aria-label={t('client.person.dontSuggestName', { name: person.name })}
            >
              <Icon name="x" />
            </button>
          )}
        </PersonForm>
      )}
    </>
  )
}

export interface PersonLineProps {
  readonly person: PersonView
  /** Page that the name leads to; by default that of the account. */
  readonly href?: string
  /** Shown behind the address. */
  readonly tag?: Child
  /** Lines below the address. */
  readonly children?: Child
}

/** Picture, name and address of a person in a row. */
export function PersonLine({ person, href, tag, children }: PersonLineProps) {
  const { name, emojis, acct, path, avatarUrl } = person
  return (
    <>
      <a class="avatar-link" href={path} tabindex={-1}>
        <img class="avatar" src={smallAvatar(avatarUrl)} alt={name} width="44" height="44" loading="lazy" />
      </a>
      <span class="names">
        <b>
          <a href={href ?? path}>
            <EmojiText text={name} emojis={emojis} />
          </a>
        </b>
        <small>
          <span class="ltr">@{acct}</span>
          {tag}
        </small>
        {children}
      </span>
    </>
  )
}

/** A person to meet. */
export interface Introduced {
  readonly person: PersonView
  /** Note of the account, shortened and without markup. */
  readonly intro: string
}

/** Rows of people with the beginning of what they say about themselves. */
export function IntroducedPeople({ people }: { readonly people: readonly Introduced[] }) {
  return (
    <ul class="rows">
      {people.map((one) => (
        <li class="person">
          <IntroducedLine {...one} />
        </li>
      ))}
    </ul>
  )
}

export function IntroducedLine({ person, intro }: Introduced) {
  return (
    <PersonLine person={person}>
      {intro !== '' && (
        <small class="intro" dir="auto">
          {intro}
        </small>
      )}
    </PersonLine>
  )
}

export interface MorePeopleProps {
  /** Page that begins with the newest; null there. */
  readonly newestUrl: string | null
  readonly olderUrl: string | null
}

/** Links between the pages of a list of people. */
export function MorePeople({ newestUrl, olderUrl }: MorePeopleProps) {
  const t = useTranslation()
  if (newestUrl === null && olderUrl === null) return null
  return (
    <p class="pad two">
      {newestUrl !== null && (
        <a class="button" href={newestUrl}>
          <Icon name="arrow-up" isSmall />
          {t('client.newest')}
        </a>
      )}
      {olderUrl !== null && (
        <a class="button" href={olderUrl} rel="next">
          {t('client.person.morePeople')}
        </a>
      )}
    </p>
  )
}
