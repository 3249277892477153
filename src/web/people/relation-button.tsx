import type { Child } from 'hono/jsx'
import { CsrfField } from '../components/form'
import { Icon } from '../components/icon'
import { useTranslation } from '../i18n/context'
import { paths } from '../paths'
import { usePosts } from '../posts/context'
import { personActPath } from './acts'
import type { RelatedPerson } from './profile-view'

export interface PersonFormProps {
  readonly id: string
  /** Place of the page to come back to. */
  readonly anchor?: string
  readonly class?: string
  readonly children: Child
}

/** The form around the buttons of an account. It leads back to the page. */
export function PersonForm({ id, anchor = '', class: classes, children }: PersonFormProps) {
  const { returnTo } = usePosts()
  return (
    <form class={classes} method="post" action={personActPath(id)}>
      <CsrfField />
      <input type="hidden" name="return_to" value={returnTo + anchor} />
      {children}
    </form>
  )
}

export interface RelationButtonProps {
  readonly person: RelatedPerson
  /** Smaller, in rows. */
  readonly isLow?: boolean
}

/** The one button of an account, in a `PersonForm`: it says how the member stands to it, and changes that. */
export function RelationButton({ person, isLow = false }: RelationButtonProps): Child {
  const t = useTranslation()
  const { button, name } = person
  if (button === null) return null
  const size = isLow ? ' low' : ''
  if (button.kind === 'edit')
    return (
      <a class={`button${size}`} href={paths.profile}>
        {t('client.person.editProfile')}
      </a>
    )
  if (button.kind === 'moved')
    return (
      <a class={`button${size}`} href={button.path}>
        {t('client.person.movedToHandle', { handle: `@${button.acct}` })}
      </a>
    )
  const { act, label, isMain } = button
  return (
    <button type="submit" class={`button${isMain && !isLow ? ' main' : ''}${size}`} name="act" value={act}>
      {label === 'client.person.following' && <Icon name="check" isSmall />}
      {t(label)}
      <span class="hidden"> {name}</span>
    </button>
  )
}
