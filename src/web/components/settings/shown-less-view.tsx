import type { QuieterTag } from '../../../domain/relationships/shown-less'
import { languages } from '../../../lib/language'
import type { TranslateText } from '../../../lib/translate'
import type { RelationshipFacts } from '../../../view/load/relationships'
import { useTranslation } from '../../i18n/context'
import { languageName } from '../../i18n/names'
import { usePage } from '../../page-context'
import { paths } from '../../paths'
import { personPagePath } from '../../people/acts'
import { type AccountLine, AccountLines } from '../account-card'
import { Button, ButtonLink } from '../button'
import { Day } from '../day'
import { PostForm } from '../form'
import { MoreLink } from '../page-links'
import { SettingsLayout } from '../settings-layout'

export const shownLessTitle = 'settings.shownLess.shownLess'

type Facts = Pick<
  RelationshipFacts,
  'showReblogs' | 'showReplies' | 'fewer' | 'languages' | 'mutingExpiresAt'
>

interface Line extends AccountLine {
  readonly facts: Facts | null
}

export interface ShownLessPageProps {
  readonly snoozed: readonly Line[]
  readonly moreSnoozed: string | null
  readonly quieter: readonly Line[]
  readonly moreQuieter: string | null
  readonly tags: readonly QuieterTag[]
  readonly moreTags: string | null
}

/** Accounts and hashtags of which home leaves something out, each with what undoes it. */
export function ShownLessPage(props: ShownLessPageProps) {
  const t = useTranslation()
  return (
    <SettingsLayout title={t(shownLessTitle)}>
      <p class="quiet">{t('settings.shownLess.intro')}</p>
      <SnoozedSection {...props} />
      <QuieterSection {...props} />
      <TagSection {...props} />
    </SettingsLayout>
  )
}

function SnoozedSection({ snoozed, moreSnoozed }: ShownLessPageProps) {
  const t = useTranslation()
  const { site } = usePage()
  return (
    <section class="block" aria-labelledby="snoozed">
      <h2 id="snoozed">{t('settings.shownLess.snoozedAccounts')}</h2>
      {snoozed.length === 0 && <p class="quiet small">{t('settings.blocks.nobody')}</p>}
      <AccountLines
        domain={site.domain}
        lines={snoozed.map(({ facts, ...line }) => ({ ...line, note: until(t, facts?.mutingExpiresAt) }))}
        actions={({ id, account }) => (
          <PostForm action={`${paths.shownLess}/accounts/${id}/unsnooze`} class="inline">
            <Button look="secondary">
              {t('client.tag.endSnooze')}
              <span class="hidden"> {account.displayName}</span>
            </Button>
          </PostForm>
        )}
      />
      <MoreLink href={moreSnoozed} />
    </section>
  )
}

function until(t: ReturnType<typeof useTranslation>, at: Date | null | undefined) {
  return at == null ? undefined : t.rich('settings.untilDay', { day: <Day at={at} withTime /> })
}

function QuieterSection({ quieter, moreQuieter }: ShownLessPageProps) {
  const t = useTranslation()
  const { site } = usePage()
  return (
    <section class="block" aria-labelledby="quieter">
      <h2 id="quieter">{t('settings.shownLess.quieterAccounts')}</h2>
      {quieter.length === 0 && <p class="quiet small">{t('settings.blocks.nobody')}</p>}
      <AccountLines
        domain={site.domain}
        lines={quieter.map(({ facts, ...line }) => ({
          ...line,
          note: facts === null ? undefined : choicesOf(t, facts).join(' · '),
        }))}
        actions={({ id, account }) => (
          <>
            <ButtonLink look="secondary" href={personPagePath(id, 'shown', { returnTo: paths.shownLess })}>
              {t('common.change')}
              <span class="hidden"> {account.displayName}</span>
            </ButtonLink>
            <PostForm action={`${paths.shownLess}/accounts/${id}/all`} class="inline">
              <Button look="secondary">
                {t('settings.shownLess.showAll')}
                <span class="hidden"> {account.displayName}</span>
              </Button>
            </PostForm>
          </>
        )}
      />
      <MoreLink href={moreQuieter} />
    </section>
  )
}

/** Words for what home leaves out of an account. */
function choicesOf(t: TranslateText, { showReblogs, showReplies, fewer, languages: chosen }: Facts) {
  const names = languages
    .filter(({ code }) => chosen?.includes(code) === true)
    .map(({ code, name }) => languageName(t.language, code, name))
  return [
    ...(showReblogs === false ? [t('settings.shownLess.noBoosts')] : []),
    ...(showReplies === false ? [t('settings.shownLess.noReplies')] : []),
    ...(fewer === true ? [t('settings.shownLess.oneADay')] : []),
    ...(names.length > 0 ? [t('settings.shownLess.onlyIn', { languages: names.join(', ') })] : []),
  ]
}

function TagSection({ tags, moreTags }: ShownLessPageProps) {
  const t = useTranslation()
  return (
    <section class="block" aria-labelledby="tags">
      <h2 id="tags">{t('settings.shownLess.quieterTags')}</h2>
      {tags.length === 0 && <p class="quiet small">{t('common.noneYet')}</p>}
      <ul class="entries">
        {tags.map(({ name, snoozedUntil, fewer }) => (
          <li class="entry-line">
            <div>
              <a href={`${paths.tags}/${encodeURIComponent(name)}`}>#{name}</a>
              {snoozedUntil !== null && <p class="quiet small">{until(t, snoozedUntil)}</p>}
              {fewer && <p class="quiet small">{t('settings.shownLess.oneADay')}</p>}
            </div>
            <div class="actions">
              {snoozedUntil !== null && (
                <TagButton name={name} act="unsnooze" label={t('client.tag.endSnooze')} />
              )}
              {fewer && <TagButton name={name} act="all" label={t('settings.shownLess.showAll')} />}
            </div>
          </li>
        ))}
      </ul>
      <MoreLink href={moreTags} />
    </section>
  )
}

interface TagButtonProps {
  readonly name: string
  readonly act: 'unsnooze' | 'all'
  readonly label: string
}

function TagButton({ name, act, label }: TagButtonProps) {
  return (
    <PostForm action={`${paths.shownLess}/tags/${act}`} hidden={{ name }} class="inline">
      <Button look="secondary">
        {label}
        <span class="hidden"> #{name}</span>
      </Button>
    </PostForm>
  )
}
