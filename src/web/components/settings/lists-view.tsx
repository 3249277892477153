import { listLimits } from '../../../contract/limits'
import type { ListRow } from '../../../domain/lists/edit'
import type { Form } from '../../csrf'
import { hasErrors } from '../../form-errors'
import { useTranslation } from '../../i18n/context'
import { usePage } from '../../page-context'
import { paths } from '../../paths'
import { type AccountLine, AccountLines } from '../account-card'
import { Button } from '../button'
import { CheckboxField, SelectField, TextField } from '../field'
import { PostForm } from '../form'
import { MoreLink } from '../page-links'
import { SettingsLayout } from '../settings-layout'

interface ListsFrame {
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
  const { typed, lists } = props
  const t = useTranslation()
  const { errors } = usePage()
  const isTyped = typed('sent') === 'true'
  return (
    <SettingsLayout title={t('settings.lists')}>
      <p class="quiet">{t('settings.lists.timelinesSomePeopleFollow')}</p>
      {lists.length < listLimits.perAccount && (
        <details class="block" open={lists.length === 0 || hasErrors(errors)}>
          <summary>
            <h2>{t('settings.lists.addAList')}</h2>
          </summary>
          <PostForm action={paths.lists} hidden={{ sent: 'true' }}>
            <Fields
              title={typed('title')}
              repliesPolicy={typed('replies_policy')}
              exclusive={isTyped && typed('exclusive') === 'true'}
            />
            <Button>{t('settings.add')}</Button>
          </PostForm>
        </details>
      )}
      {lists.length > 0 && (
        <section class="block" aria-label={t('settings.lists.yourLists')}>
          <ul class="entries">
            {lists.map(({ id, title, exclusive }) => (
              <li class="entry-line">
                <span>
                  <a href={`${paths.lists}?id=${id}`}>
                    <bdi>{title}</bdi>
                  </a>{' '}
                  {exclusive && <span class="tag">{t('settings.lists.notHomeTimeline')}</span>}
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
  const { typed, list, members, olderUrl } = props
  const t = useTranslation()
  const { site } = usePage()
  const path = `${paths.lists}/${list.id}`
  const isTyped = typed('sent') === 'true'
  return (
    <SettingsLayout title={t('settings.lists')} heading={list.title}>
      <section class="block" aria-labelledby="members">
        <h2 id="members">{t('settings.lists.peopleList')}</h2>
        <PostForm action={`${path}/members`}>
          <TextField
            name="handle"
            label={t('settings.lists.somebodyYouFollow')}
            hint={t('settings.lists.somebodyYouFollow.hint')}
            value={typed('handle')}
            autocomplete="off"
            maxlength={300}
          />
          <Button>{t('settings.lists.addList')}</Button>
        </PostForm>
        {members.length === 0 && <p class="quiet small">{t('settings.lists.nobodyYet')}</p>}
        <AccountLines
          domain={site.domain}
          lines={members}
          actions={({ id, account }) => (
            <PostForm action={`${path}/members/remove`} hidden={{ account: id }} class="inline">
              <Button look="secondary">
                {t('common.remove')}
                <span class="hidden"> {account.displayName}</span>
              </Button>
            </PostForm>
          )}
        />
        <MoreLink href={olderUrl} />
      </section>
      <section class="block" aria-labelledby="list">
        <h2 id="list">{t('settings.lists.aboutThisList')}</h2>
        <PostForm action={path} hidden={{ sent: 'true' }}>
          <Fields
            title={isTyped ? typed('title') : list.title}
            repliesPolicy={isTyped ? typed('replies_policy') : list.repliesPolicy}
            exclusive={isTyped ? typed('exclusive') === 'true' : list.exclusive}
          />
          <Button>{t('common.save')}</Button>
        </PostForm>
        <details class="confirm">
          <summary>{t('settings.lists.deleteThisList')}</summary>
          <PostForm action={`${path}/delete`}>
            <p>{t('settings.lists.goFollowingPeople')}</p>
            <Button look="danger">{t('settings.lists.deleteTheList')}</Button>
          </PostForm>
        </details>
      </section>
      <p>
        <a href={paths.lists}>{t('settings.lists.allLists')}</a>
      </p>
    </SettingsLayout>
  )
}

interface FieldsProps {
  readonly title: string
  readonly repliesPolicy: string
  readonly exclusive: boolean
}

function Fields({ title, repliesPolicy, exclusive }: FieldsProps) {
  const t = useTranslation()
  return (
    <>
      <TextField
        name="title"
        label={t('settings.lists.nameList')}
        value={title}
        autocomplete="off"
        maxlength={listLimits.titleCharacters}
        isProse
      />
      <SelectField
        name="replies_policy"
        label={t('settings.lists.repliesPeople')}
        value={repliesPolicy}
        options={[
          { value: 'list', text: t('settings.lists.toPeopleOnTheList') },
          { value: 'followed', text: t('settings.lists.anyoneIFollow') },
          { value: 'none', text: t('settings.lists.toNobody') },
        ]}
      />
      <CheckboxField
        name="exclusive"
        label={t('settings.lists.keepPostsOutMy')}
        isChecked={exclusive}
        isOptional
      />
    </>
  )
}
