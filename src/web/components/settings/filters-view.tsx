import {
  type FilterAction,
  type FilterContext,
  type FilterRule,
  filterContexts,
} from '../../../contract/filters'
import { filterLimits } from '../../../contract/limits'
import type { TextKey } from '../../../lib/translate'
import { errorText } from '../../error-texts'
import { hasErrors } from '../../form-errors'
import { useTranslation } from '../../i18n/context'
import { usePage } from '../../page-context'
import { paths } from '../../paths'
import { Button } from '../button'
import { Day } from '../day'
import { CheckboxField, ChoiceField, fieldId, SelectField, TextAreaField, TextField } from '../field'
import { PostForm } from '../form'
import { SettingsLayout } from '../settings-layout'
import { useFieldErrors } from '../typed-values'

/** Fields of the form of a filter, as saved or as typed. */
export interface FilterValues {
  readonly title: string
  readonly action: FilterAction
  readonly contexts: readonly FilterContext[]
  /** Seconds from now, empty for no end, `keep` for the end that is saved. */
  readonly end: string
  /** Words and phrases by lines. */
  readonly keywords: string
  readonly wholeWord: boolean
}

interface FilterFrame {
  readonly values: FilterValues
  readonly now: Date
}

/** The name of the box for a place where a filter works. */
export function contextField(context: FilterContext): string {
  return `in-${context}`
}

const contexts: Readonly<Record<FilterContext, TextKey>> = {
  home: 'settings.filters.homeTimelineLists',
  notifications: 'settings.filters.notifications',
  public: 'settings.filters.publicTimelines',
  thread: 'settings.filters.conversations',
  account: 'settings.filters.profiles',
}

const actions: Readonly<Record<FilterAction, TextKey>> = {
  warn: 'settings.filters.hiddenBehindWarning',
  blur: 'settings.filters.shownBlurredPictures',
  hide: 'settings.filters.notShownAll',
}

interface FiltersPageProps extends FilterFrame {
  readonly filters: readonly FilterRule[]
  /** Place that the new filter leads back to; empty for this page. */
  readonly returnTo: string
  /** The form has the words of a post. */
  readonly isOpen: boolean
}

/** Page with all filters and the form that adds one. */
export function FiltersPage(props: FiltersPageProps) {
  const { filters, now, returnTo, isOpen } = props
  const t = useTranslation()
  const { errors } = usePage()
  return (
    <SettingsLayout title={t('settings.filters.filters')}>
      <p class="quiet">{t('settings.filters.postsWordsHiddenFrom')}</p>
      <details class="block" open={isOpen || filters.length === 0 || hasErrors(errors)}>
        <summary>
          <h2>{t('settings.filters.addAFilter')}</h2>
        </summary>
        <PostForm
          action={paths.filters}
          hidden={{ sent: 'true', return_to: returnTo === '' ? null : returnTo }}
        >
          <Fields {...props} saved={null} />
          <Button>{t('settings.add')}</Button>
        </PostForm>
      </details>
      {filters.length > 0 && (
        <section class="block" aria-label={t('settings.filters.yourFilters')}>
          <ul class="entries">
            {filters.map((filter) => (
              <li class="entry-line">
                <FilterLine filter={filter} now={now} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </SettingsLayout>
  )
}

function FilterLine({ filter, now }: { readonly filter: FilterRule; readonly now: Date }) {
  const t = useTranslation()
  const { id, title, keywords, statuses } = filter
  return (
    <>
      <div>
        <h2>
          <bdi>{title}</bdi> <End filter={filter} now={now} />
        </h2>
        <p>{t(actions[filter.action])}</p>
        <p class="quiet small">{filter.contexts.map((context) => t(contexts[context])).join(' · ')}</p>
        <p class="quiet small">
          {t('settings.filters.wordsOrPhrases', {
            count: keywords.length,
          })}
          {statuses.length > 0 && <> · {t('common.posts2', { count: statuses.length })}</>}
        </p>
      </div>
      <a class="button" href={`${paths.filters}?id=${id}`}>
        {t('common.change')}
        <span class="hidden"> {title}</span>
      </a>
    </>
  )
}

/** Page that changes or deletes a filter. */
export function FilterPage(props: FilterFrame & { readonly filter: FilterRule }) {
  const { filter } = props
  const t = useTranslation()
  const path = `${paths.filters}/${filter.id}`
  return (
    <SettingsLayout title={t('settings.filters.filters')} heading={filter.title}>
      <section class="block" aria-label={filter.title}>
        <PostForm action={path} hidden={{ sent: 'true' }}>
          <Fields {...props} saved={filter} />
          <Button>{t('common.save')}</Button>
        </PostForm>
        <details class="confirm">
          <summary>{t('settings.filters.deleteThisFilter')}</summary>
          <PostForm action={`${path}/delete`}>
            <p>{t('settings.filters.seeAgainWhatHid')}</p>
            <Button look="danger">{t('settings.filters.deleteTheFilter')}</Button>
          </PostForm>
        </details>
      </section>
      <p>
        <a href={paths.filters}>{t('settings.filters.allFilters')}</a>
      </p>
    </SettingsLayout>
  )
}

function Fields({ values, saved, now }: FilterFrame & { readonly saved: FilterRule | null }) {
  const t = useTranslation()
  const problems = useFieldErrors('contexts')
  const hours = (count: number) => t('settings.filters.hours', { count })
  const days = (count: number) => t('settings.filters.days', { count })
  return (
    <>
      <TextField
        name="title"
        label={t('settings.filters.nameFilter')}
        value={values.title}
        autocomplete="off"
        maxlength={filterLimits.titleCharacters}
        isProse
      />
      <TextAreaField
        name="keywords"
        label={t('settings.filters.wordsAndPhrases')}
        hint={t('settings.filters.wordsAndPhrases.hint')}
        value={values.keywords}
        rows={5}
        maxlength={200_000}
        isOptional
      />
      <CheckboxField
        name="whole_word"
        label={t('settings.filters.wholeWordsOnly')}
        isChecked={values.wholeWord}
        isOptional
      />
      <fieldset id={fieldId('contexts')} tabindex={-1}>
        <legend>{t('settings.filters.whereItWorks')}</legend>
        {problems.length > 0 && <p class="error">{problems.map((one) => errorText(t, one)).join(' ')}</p>}
        {filterContexts.map((context) => (
          <CheckboxField
            name={contextField(context)}
            label={t(contexts[context])}
            isChecked={values.contexts.includes(context)}
            isOptional
          />
        ))}
      </fieldset>
      <ChoiceField
        name="filter_action"
        label={t('settings.filters.whatHappensPost')}
        value={values.action}
        options={Object.entries(actions).map(([value, text]) => ({ value, text: t(text) }))}
      />
      <SelectField
        name="expires_in"
        label={t('field.expiry')}
        value={values.end}
        options={[
          { value: '', text: t('settings.filters.neverExpires') },
          ...(saved !== null && saved.expiresAt !== null
            ? [
                {
                  value: 'keep',
                  text: saved.expiresAt > now ? t('common.asItIs') : t('settings.filters.itHasEnded'),
                },
              ]
            : []),
          { value: '3600', text: hours(1) },
          { value: '21600', text: hours(6) },
          { value: '86400', text: days(1) },
          { value: '604800', text: days(7) },
          { value: '2592000', text: days(30) },
        ]}
      />
    </>
  )
}

function End({ filter: { expiresAt }, now }: { readonly filter: FilterRule; readonly now: Date }) {
  const t = useTranslation()
  if (expiresAt === null) return null
  if (expiresAt <= now) return <span class="tag warn">{t('settings.filters.itHasEnded')}</span>
  return <span class="tag">{t.rich('settings.untilDay', { day: <Day at={expiresAt} withTime /> })}</span>
}
