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
import { Button } from '../../components/button'
import { CheckboxField, SelectField, TextField } from '../../components/field'
import { ErrorSummary, type FormErrors, hasErrors, PostForm } from '../../components/form'
import { Layout } from '../../components/layout'
import { checkbox } from '../../form-fields'
import type { SubmissionCall } from '../../member-pages/declaration'
import { memberPage } from '../../member-pages/member-page'
import { paths } from '../../paths'
import type { AccountSummary, FormPageProps } from '../../site'

const title = 'Old posts'

const threshold = z.string().transform((text, check) => {
  const count = parseThreshold(text)
  if (count !== undefined) return count
  check.addIssue({ code: 'custom', message: 'must be a whole number from 1 on, or empty' })
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
  menu: { label: 'Old posts', order: 50 },
  form,
  submissions: [{ run: save }],
  notices: { cleanup: 'What happens to your old posts is saved.' },
  noticesAt: paths.account,
  load: async (ctx, { session }) =>
    (await execute(ctx.db, cleanupPolicyOf(ctx, session.accountId))) ?? defaultCleanup,
  view: ({ site, viewer, csrfToken, errors, typed, found: saved }) => {
    const { minFavourites, minReblogs } = saved
    const isRefused = hasErrors(errors)
    const names = Object.keys(chosenFields.shape)
    const sent = () => chosenFields.parse(Object.fromEntries(names.map((name) => [name, typed(name)])))
    return (
      <CleanupPage
        site={site}
        viewer={viewer}
        csrfToken={csrfToken}
        errors={errors}
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

export type CleanupField = 'age' | 'favourites' | 'boosts'

export interface CleanupPageProps extends FormPageProps {
  readonly viewer: AccountSummary
  readonly errors: FormErrors<CleanupField>
  readonly policy: CleanupPolicy
  /** The thresholds as typed. */
  readonly typed: { readonly minFavourites: string; readonly minReblogs: string }
}

const ageTexts = ['1 week', '2 weeks', '1 month', '2 months', '3 months', '6 months', '1 year', '2 years']
const ages = cleanupAges.map((seconds, at) => ({ value: String(seconds), text: ageTexts[at] ?? '' }))

/** Rules by which old posts are deleted automatically. */
export function CleanupPage(props: CleanupPageProps) {
  const { site, viewer, csrfToken, errors, policy } = props
  return (
    <Layout site={site} viewer={viewer} title={title} width="text" isPrivate hasErrors={hasErrors(errors)}>
      <h1>Old posts</h1>
      <ErrorSummary errors={errors} />
      <PostForm action={paths.cleanup} csrfToken={csrfToken}>
        <section class="card" aria-labelledby="deleting">
          <h2 id="deleting">Delete old posts</h2>
          <p>
            Posts and boosts go for good, with their pictures and videos, here and on other servers. It may
            take some days until all old ones are gone.
          </p>
          <CheckboxField
            name="enabled"
            label="Delete my old posts automatically"
            isChecked={policy.enabled}
            isOptional
          />
          <SelectField
            name="age"
            label="Once they are older than"
            value={String(policy.minAgeSeconds)}
            options={ages}
            errors={errors.fields?.age}
          />
        </section>
        <KeepSection {...props} />
        <div class="actions">
          <Button>Save</Button>
        </div>
      </PostForm>
      <p class="aside">
        <a href={paths.account}>Back to your account</a>
      </p>
    </Layout>
  )
}

const kinds = [
  { name: 'keep_direct', key: 'keepDirect', label: 'Posts only mentioned people see' },
  { name: 'keep_pinned', key: 'keepPinned', label: 'Posts pinned to my profile' },
  { name: 'keep_polls', key: 'keepPolls', label: 'Polls' },
  { name: 'keep_media', key: 'keepMedia', label: 'Posts with pictures, sound or video' },
  { name: 'keep_own_favourites', key: 'keepOwnFavourites', label: 'Posts I favourited myself' },
  { name: 'keep_own_bookmarks', key: 'keepOwnBookmarks', label: 'Posts I bookmarked myself' },
] as const

function KeepSection({ errors, policy, typed }: CleanupPageProps) {
  return (
    <section class="card" aria-labelledby="keeping">
      <h2 id="keeping">Keep</h2>
      {kinds.map(({ name, key, label }) => (
        <CheckboxField name={name} label={label} isChecked={policy[key]} isOptional />
      ))}
      <TextField
        name="favourites"
        label="Posts with at least this many favourites"
        hint="Leave it empty to delete posts however many they have."
        value={typed.minFavourites}
        inputmode="numeric"
        autocomplete="off"
        maxlength={10}
        isOptional
        errors={errors.fields?.favourites}
      />
      <TextField
        name="boosts"
        label="Posts boosted at least this many times"
        hint="Leave it empty to delete posts however many they have."
        value={typed.minReblogs}
        inputmode="numeric"
        autocomplete="off"
        maxlength={10}
        isOptional
        errors={errors.fields?.boosts}
      />
    </section>
  )
}
