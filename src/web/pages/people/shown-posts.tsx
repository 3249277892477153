import { Hono } from 'hono'
import { selectById } from '../../../domain/accounts/find'
import { changeFollow } from '../../../domain/relationships/follow'
import type { FollowOptions } from '../../../domain/relationships/follow-rows'
import type { AppEnv } from '../../../ports/app-env'
import { loadRelationships, type RelationshipFacts } from '../../../view/load/relationships'
import { LanguageChoices, languageField, tickedLanguages } from '../../components/language-choices'
import { Empty, Shell, ViewHead } from '../../components/shell'
import type { Form } from '../../csrf'
import { useTranslation } from '../../i18n/context'
import { type FormView, type PersonForm, personForm } from './form-page'
import { FormPage } from './form-view'

/** The form for what reaches the home of a member from an account they follow. */
export function shownPostsRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  personForm(app, shownPosts)
  return app
}

type Facts = readonly RelationshipFacts[]

const shownPosts: PersonForm<Facts> = {
  name: 'shown',
  fields: (form) => ['boosts', 'replies', 'fewer', ...languagesIn(form).map(languageField)],
  read: (ctx, as, { id }) => loadRelationships(ctx, as, selectById(id)),
  show: (_ctx, view) => {
    const [facts] = view.found
    // Without a follow there is nothing to choose.
    if (facts === undefined || facts.showReblogs === null) return <NotFollowedPage view={view} />
    const { typed } = view
    return <ShownPostsPage view={view} choices={typed === null ? choicesOf(facts) : choicesIn(typed)} />
  },
  work: async (ctx, viewer, { id, form }) => {
    await changeFollow(ctx, viewer, id, choicesIn(form))
    return null
  },
}

function languagesIn(form: Form): readonly string[] {
  return tickedLanguages((name) => form(name) === 'true')
}

type Choices = Omit<FollowOptions, 'notify'>

function choicesIn(form: Form): Choices {
  const languages = languagesIn(form)
  return {
    showReblogs: form('boosts') === 'true',
    showReplies: form('replies') === 'true',
    fewer: form('fewer') === 'true',
    languages: languages.length === 0 ? null : languages,
  }
}

function choicesOf({ showReblogs, showReplies, fewer, languages }: RelationshipFacts): Choices {
  return {
    showReblogs: showReblogs !== false,
    showReplies: showReplies !== false,
    fewer: fewer === true,
    languages,
  }
}

export interface ShownPostsPageProps {
  readonly view: FormView<unknown>
  readonly choices: Choices
}

export function ShownPostsPage({ view, choices }: ShownPostsPageProps) {
  const t = useTranslation()
  return (
    <FormPage view={view} title={t('client.person.whatHomeShows')} button={t('common.save')}>
      <Choice name="boosts" label={t('client.boosts')} isChecked={choices.showReblogs} />
      <Choice
        name="replies"
        label={t('client.person.repliesToOthers')}
        hint={t('client.person.repliesToYouStay')}
        isChecked={choices.showReplies}
      />
      <Choice
        name="fewer"
        label={t('client.person.fewerPosts')}
        hint={t('client.person.atMostOneADay')}
        isChecked={choices.fewer}
      />
      <LanguageChoices
        legend={t('client.person.languages')}
        hint={t('client.person.languagesHint')}
        chosen={choices.languages ?? []}
      />
      <p class="quiet small">{t('client.person.appsShowTheSame')}</p>
    </FormPage>
  )
}

export function NotFollowedPage({ view: { profile, back } }: Pick<ShownPostsPageProps, 'view'>) {
  const t = useTranslation()
  const title = t('client.person.whatHomeShows')
  return (
    <Shell title={title} place={null} isPrivate>
      <ViewHead title={title} line={<span class="ltr">@{profile.acct}</span>} back={back} />
      <Empty title={t('client.nothingHereYet')}>
        <p>{t('client.person.followToChoose')}</p>
      </Empty>
    </Shell>
  )
}

interface ChoiceProps {
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly isChecked: boolean
}

function Choice({ name, label, hint, isChecked }: ChoiceProps) {
  return (
    <label class="choice">
      <input type="checkbox" name={name} value="true" checked={isChecked} />
      <span>
        {label}
        {hint !== undefined && <small>{hint}</small>}
      </span>
    </label>
  )
}
