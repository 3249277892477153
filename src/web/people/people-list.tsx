import { EmojiText } from '../components/emoji-text'
import { Icon } from '../components/icon'
import { useTranslation } from '../i18n/context'
import type { RelatedPerson } from './profile-view'
import { PersonForm, RelationButton } from './relation-button'

/** Rows of people, each with its button. */
export function PeopleList({ people }: { readonly people: readonly RelatedPerson[] }) {
  return (
    <ul class="rows">
      {people.map((person) => (
        <li class="person" id={`a-${person.id}`}>
          <PersonRow person={person} />
        </li>
      ))}
    </ul>
  )
}

function PersonRow({ person }: { readonly person: RelatedPerson }) {
  const t = useTranslation()
  const { id, name, emojis, acct, path, avatarUrl, followsYou, isOwn } = person
  return (
    <>
      <a class="avatar-link" href={path} tabindex={-1}>
        <img class="avatar" src={avatarUrl} alt={name} width="44" height="44" loading="lazy" />
      </a>
      <span class="names">
        <b>
          <a href={path}>
            <EmojiText text={name} emojis={emojis} />
          </a>
        </b>
        <small>
          <span class="ltr">@{acct}</span>
          {followsYou && (
            <>
              {' '}
              <span class="tag">{t('client.person.followsYou')}</span>
            </>
          )}
        </small>
      </span>
      {!isOwn && (
        <PersonForm id={id} anchor={`#a-${id}`}>
          <RelationButton person={person} isLow />
        </PersonForm>
      )}
    </>
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
