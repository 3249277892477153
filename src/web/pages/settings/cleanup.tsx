import * as z from 'zod'
import { execute } from '../../../db/query'
import {
  type CleanupPolicy,
  cleanupAges,
  defaultCleanup,
  parseThreshold,
  saveCleanup,
} from '../../../domain/cleanup/cleanup-policy'
import { cleanupPolicyOf } from '../../../domain/cleanup/find-cleanup'
import type { fieldErrors } from '../../../errors/codes'
import type { TextKey, TranslateText } from '../../../lib/translate'
import { Button } from '../../components/button'
import { CheckboxField, SelectField, TextField } from '../../components/field'
import { PostForm } from '../../components/form'
import { SettingsLayout } from '../../components/settings-layout'
import { checkbox } from '../../form-fields'
import { useTranslation } from '../../i18n/context'
import type { SubmissionCall } from '../../member-pages/declaration'
import { memberPage } from '../../member-pages/member-page'
import { paths } from '../../paths'

const title = 'settings.cleanup.oldPosts'

const threshold = z.string().transform((text, check) => {
  const count = parseThreshold(text)
  if (count !== undefined) return count
  check.addIssue({ code: 'custom', message: 'not_positive_or_empty' satisfies keyof typeof fieldErrors })
  return z.NEVER
})

const kept = {
  keep_direct: checkbox,
  keep_pinned: checkbox,
  keep_polls: checkbox,
  keep_media: checkbox,
  keep_own_favourites: checkbox,
  keep_own_bookmarks: checkbox,
}
const chosenFields = z.object({ enabled: checkbox, age: z.string().transform(Number), ...kept })
const form = chosenFields.extend({ favourites: threshold, boosts: threshold })

export const cleanupPage = memberPage({
  kind: 'settings',
  path: paths.cleanup,
  title,
  access: 'signed-in',
  menu: { group: 'posts', label: title, order: 62 },
  words: ['settings.cleanup.deleteMyOldPosts'],
  form,
  submissions: [{ run: save }],
  notices: { cleanup: 'settings.cleanup.whatHappensOldPosts' },
  load: async (ctx, { session }) =>
    (await execute(ctx.db, cleanupPolicyOf(ctx, session.accountId))) ?? defaultCleanup,
  view: ({ isRefused, typed, found: saved }) => {
    const { minFavourites, minReblogs } = saved
    const names = Object.keys(chosenFields.shape)
    const sent = () => chosenFields.parse(Object.fromEntries(names.map((name) => [name, typed(name)])))
    return (
      <CleanupPage
        policy={isRefused ? { ...choiceOf(sent()), minFavourites, minReblogs } : saved}
        typed={{
          minFavourites: isRefused ? typed('favourites').slice(0, 10) : textOf(minFavourites),
          minReblogs: isRefused ? typed('boosts').slice(0, 10) : textOf(minReblogs),
        }}
      />
    )
  },
})

async function save({ ctx, session, input }: SubmissionCall<z.output<typeof form>>) {
  const { favourites: minFavourites, boosts: minReblogs } = input
  await saveCleanup(ctx, session.accountId, { ...choiceOf(input), minFavourites, minReblogs })
  return { notice: 'cleanup' as const }
}

function choiceOf(input: z.output<typeof chosenFields>): Omit<CleanupPolicy, 'minFavourites' | 'minReblogs'> {
  return {
    enabled: input.enabled,
    minAgeSeconds: input.age,
    keepDirect: input.keep_direct,
    keepPinned: input.keep_pinned,
    keepPolls: input.keep_polls,
    keepMedia: input.keep_media,
    keepOwnFavourites: input.keep_own_favourites,
    keepOwnBookmarks: input.keep_own_bookmarks,
  }
}

function textOf(count: number | null): string {
  return count === null ? '' : String(count)
}

export interface CleanupPageProps {
  readonly policy: CleanupPolicy
  /** The thresholds as typed. */
  readonly typed: { readonly minFavourites: string; readonly minReblogs: string }
}

const weeks: TextKey = 'settings.cleanup.weeks'
const months: TextKey = 'settings.cleanup.months'
const years: TextKey = 'settings.cleanup.years'

/** Texts of `cleanupAges`, in their order. */
const ageTexts: readonly { readonly text: TextKey; readonly count: number }[] = [
  ...[1, 2].map((count) => ({ text: weeks, count })),
  ...[1, 2, 3, 6].map((count) => ({ text: months, count })),
  ...[1, 2].map((count) => ({ text: years, count })),
]

function agesIn(t: TranslateText) {
  return cleanupAges.map((seconds, at) => {
    const { text, count } = ageTexts[at] ?? { text: years, count: seconds / (365 * 86_400) }
    return { value: String(seconds), text: t(text, { count }) }
  })
}

/** Rules by which old posts are deleted automatically. */
export function CleanupPage(props: CleanupPageProps) {
  const { policy } = props
  const t = useTranslation()
  return (
    <SettingsLayout title={t(title)}>
      <PostForm action={paths.cleanup}>
        <section class="block" aria-labelledby="deleting">
          <h2 id="deleting">{t('settings.cleanup.deleteOldPosts')}</h2>
          <p>{t('settings.cleanup.postsBoostsGoGood')}</p>
          <CheckboxField
            name="enabled"
            label={t('settings.cleanup.deleteMyOldPosts')}
            isChecked={policy.enabled}
            isOptional
          />
          <SelectField
            name="age"
            label={t('settings.cleanup.onceOlderThan')}
            value={String(policy.minAgeSeconds)}
            options={agesIn(t)}
          />
        </section>
        <KeepSection {...props} />
        <div class="save">
          <Button>{t('common.save')}</Button>
        </div>
      </PostForm>
    </SettingsLayout>
  )
}

const kinds = [
  { name: 'keep_direct', key: 'keepDirect', label: 'settings.cleanup.postsOnlyMentionedPeople' },
  { name: 'keep_pinned', key: 'keepPinned', label: 'settings.cleanup.postsPinnedMyProfile' },
  { name: 'keep_polls', key: 'keepPolls', label: 'settings.cleanup.polls' },
  { name: 'keep_media', key: 'keepMedia', label: 'settings.cleanup.postsPicturesSoundVideo' },
  { name: 'keep_own_favourites', key: 'keepOwnFavourites', label: 'settings.cleanup.postsIFavouritedMyself' },
  { name: 'keep_own_bookmarks', key: 'keepOwnBookmarks', label: 'settings.cleanup.postsIBookmarkedMyself' },
] as const

function KeepSection({ policy, typed }: CleanupPageProps) {
  const t = useTranslation()
  return (
    <section class="block" aria-labelledby="keeping">
      <h2 id="keeping">{t('settings.cleanup.keep')}</h2>
      {kinds.map(({ name, key, label }) => (
        <CheckboxField name={name} label={t(label)} isChecked={policy[key]} isOptional />
      ))}
      <TextField
        name="favourites"
        label={t('settings.cleanup.postsLeastManyFavourites')}
        hint={t('settings.cleanup.leaveEmptyDeletePosts')}
        value={typed.minFavourites}
        inputmode="numeric"
        autocomplete="off"
        maxlength={10}
        isOptional
      />
      <TextField
        name="boosts"
        label={t('settings.cleanup.postsBoostedLeastMany')}
        hint={t('settings.cleanup.leaveEmptyDeletePosts')}
        value={typed.minReblogs}
        inputmode="numeric"
        autocomplete="off"
        maxlength={10}
        isOptional
      />
    </section>
  )
}
