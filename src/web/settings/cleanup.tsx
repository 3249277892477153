import { type CleanupPolicy, cleanupAges } from '../../domain/cleanup/cleanup-policy'
import { Button } from '../components/button'
import { CheckboxField, SelectField, TextField } from '../components/field'
import { ErrorSummary, type FormErrors, hasErrors, PostForm } from '../components/form'
import { Layout } from '../components/layout'
import { paths } from '../paths'
import type { AccountSummary, FormPageProps } from '../site'

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

/** Which old posts of somebody are deleted by themselves. */
export function CleanupPage(props: CleanupPageProps) {
  const { site, viewer, csrfToken, errors, policy } = props
  return (
    <Layout
      site={site}
      viewer={viewer}
      title="Old posts"
      width="text"
      isPrivate
      hasErrors={hasErrors(errors)}
    >
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
