import { listLimits } from '../../../contract/limits'
import type { ListRow } from '../../../domain/lists/find'
import type { Form } from '../../csrf'
import { useTranslation } from '../../i18n/context'
import { paths } from '../../paths'
import type { AccountSummary, FormPageProps } from '../../site'
import { type AccountLine, AccountLines } from '../account-lines'
import { Button } from '../button'
import { CheckboxField, SelectField, TextField } from '../field'
import { type FormErrors, hasErrors, PostForm } from '../form'
import { MoreLink } from '../more-link'
import { SettingsLayout } from '../settings-layout'

interface ListsFrame extends FormPageProps {
  readonly viewer: AccountSummary
  readonly errors: FormErrors<'title' | 'handle'>
  readonly message: string | null
  readonly typed: Form
}

/** A list with a page of its members. */
export interface ListFound {
  readonly list: ListRow
  readonly members: readonly AccountLine[]
  readonly olderUrl: string | null
}

/** Page with all lists and the form that adds one. */
export function ListsPage(props: ListsFrame & { readonly lists: readonly ListRow[] }) {
  const { site, viewer, csrfToken, errors, message, typed, lists } = props
  const t = useTranslation()
  const isTyped = typed('sent') === 'true'
  return (
    <SettingsLayout site={site} viewer={viewer} title={t('Lists')} errors={errors} message={message}>
      <p class="lead">{t('Timelines of some of the people you follow. Nobody sees who is on your lists.')}</p>
      {lists.length < listLimits.perAccount && (
        <details class="card" open={lists.length === 0 || hasErrors(errors)}>
          <summary>
            <h2>{t('Add a list')}</h2>
          </summary>
          <PostForm action={paths.lists} csrfToken={csrfToken} hidden={{ sent: 'true' }}>
            <Fields
              title={typed('title')}
              repliesPolicy={typed('replies_policy')}
              exclusive={isTyped && typed('exclusive') === 'true'}
              errors={errors}
            />
            <Button>{t('Add')}</Button>
          </PostForm>
        </details>
      )}
      {lists.length > 0 && (
        <section class="card" aria-label={t('Your lists')}>
          <ul class="entries">
            {lists.map(({ id, title, exclusive }) => (
              <li class="entry-line">
                <span>
                  <a href={`${paths.lists}?id=${id}`}>
                    <bdi>{title}</bdi>
                  </a>{' '}
                  {exclusive && <span class="badge">{t('Not in the home timeline')}</span>}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </SettingsLayout>
  )
}

/** Page of a list with its members. */
export function ListPage(props: ListsFrame & ListFound) {
  const { site, viewer, csrfToken, errors, message, typed, list, members, olderUrl } = props
  const t = useTranslation()
  const path = `${paths.lists}/${list.id}`
  const isTyped = typed('sent') === 'true'
  return (
    <SettingsLayout
      site={site}
      viewer={viewer}
      title={t('Lists')}
      heading={list.title}
      errors={errors}
      message={message}
    >
      <section class="card" aria-labelledby="members">
        <h2 id="members">{t('People on this list')}</h2>
        <PostForm action={`${path}/members`} csrfToken={csrfToken}>
          <TextField
            name="handle"
            label={t('Somebody you follow')}
            hint={t('With their server, like name@example.org')}
            value={typed('handle')}
            autocomplete="off"
            maxlength={300}
            errors={errors.fields?.handle}
          />
          <Button>{t('Add to the list')}</Button>
        </PostForm>
        {members.length === 0 && <p class="muted">{t('Nobody yet.')}</p>}
        <AccountLines
          domain={site.domain}
          lines={members}
          actions={({ id, account }) => (
            <PostForm
              action={`${path}/members/remove`}
              csrfToken={csrfToken}
              hidden={{ account: id }}
              class="inline"
            >
              <Button look="secondary">
                {t('Remove')}
                <span class="visually-hidden"> {account.displayName}</span>
              </Button>
            </PostForm>
          )}
        />
        <MoreLink href={olderUrl} />
      </section>
      <section class="card" aria-labelledby="list">
        <h2 id="list">{t('About this list')}</h2>
        <PostForm action={path} csrfToken={csrfToken} hidden={{ sent: 'true' }}>
          <Fields
            title={isTyped ? typed('title') : list.title}
            repliesPolicy={isTyped ? typed('replies_policy') : list.repliesPolicy}
            exclusive={isTyped ? typed('exclusive') === 'true' : list.exclusive}
            errors={errors}
          />
          <Button>{t('Save')}</Button>
        </PostForm>
        <details class="confirm">
          <summary>{t('Delete this list…')}</summary>
          <PostForm action={`${path}/delete`} csrfToken={csrfToken}>
            <p>{t('You go on following the people on it.')}</p>
            <Button look="danger">{t('Delete the list')}</Button>
          </PostForm>
        </details>
      </section>
      <p>
        <a href={paths.lists}>{t('All lists')}</a>
      </p>
    </SettingsLayout>
  )
}

interface FieldsProps {
  readonly title: string
  readonly repliesPolicy: string
  readonly exclusive: boolean
  readonly errors: FormErrors<'title' | 'handle'>
}

function Fields({ title, repliesPolicy, exclusive, errors }: FieldsProps) {
  const t = useTranslation()
  return (
    <>
      <TextField
        name="title"
        label={t('Name of the list')}
        value={title}
        autocomplete="off"
        maxlength={listLimits.titleCharacters}
        isProse
        errors={errors.fields?.title}
      />
      <SelectField
        name="replies_policy"
        label={t('Replies of people on it')}
        value={repliesPolicy}
        options={[
          { value: 'list', text: t('To people on the list') },
          { value: 'followed', text: t('To anyone I follow') },
          { value: 'none', text: t('To nobody') },
        ]}
      />
      <CheckboxField
        name="exclusive"
        label={t('Keep their posts out of my home timeline')}
        isChecked={exclusive}
        isOptional
      />
    </>
  )
}
