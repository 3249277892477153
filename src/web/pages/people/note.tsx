import { Hono } from 'hono'
import { combineQueries, constant, execute } from '../../../db/query'
import { viewerById } from '../../../domain/core/viewer'
import { addMembers, listsHolding, listsOf, removeMembers } from '../../../domain/lists/edit'
import { noteAccount } from '../../../domain/relationships/follow'
import type { AppEnv } from '../../../ports/app-env'
import type { Form } from '../../csrf'
import { useTranslation } from '../../i18n/context'
import { paths } from '../../paths'
import { type FormView, type PersonForm, personForm } from './form-page'
import { FormPage } from './form-view'

/** Forms for what a member keeps about an account: a note, and the lists it is on. */
export function personNoteRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  personForm(app, note)
  personForm(app, lists)
  return app
}

const note: PersonForm<null> = {
  name: 'note',
  fields: () => ['comment'],
  read: () => constant(null),
  show: (_ctx, view) => <NotePage view={view} />,
  work: async (ctx, viewer, { id, form }) => {
    await noteAccount(ctx, viewer, id, form('comment').replaceAll('\r\n', '\n'))
    return null
  },
}

export function NotePage({ view }: { readonly view: FormView<null> }) {
  const t = useTranslation()
  const { profile, typed } = view
  return (
    <FormPage
      view={view}
      title={t('client.person.noteAboutName', { name: profile.name })}
      button={t('common.save')}
    >
      <div class="field">
        <label for="comment">{t('client.person.yourNote')}</label>
        <textarea class="input" id="comment" name="comment" rows={6} dir="auto">
          {typed?.('comment') ?? profile.relationship.note}
        </textarea>
        <p class="hint">{t('client.person.emptyDeletesTheNote')}</p>
      </div>
    </FormPage>
  )
}

interface OwnLists {
  readonly all: readonly { readonly id: number; readonly title: string }[]
  readonly holding: readonly { readonly id: number }[]
}

const fieldOf = (id: number | string) => `list_${id}`

const idsIn = (form: Form) => (form('lists').match(/\d{1,16}/g) ?? []).map(Number)

const lists: PersonForm<OwnLists> = {
  name: 'lists',
  fields: (form) => ['lists', ...idsIn(form).map(fieldOf)],
  read: (ctx, as, { id }) => combineQueries({ all: listsOf(ctx, as), holding: listsHolding(ctx, as, id) }),
  show: (_ctx, view) => <ListsOfPersonPage view={view} />,
  work: async (ctx, viewer, { id, form }) => {
    const held = await execute(ctx.db, listsHolding(ctx, viewerById(viewer.id), id))
    const shown = idsIn(form)
    const isOn = (list: number) => held.some((one) => one.id === list)
    const isChosen = (list: number) => form(fieldOf(list)) === '1'
    // Additions first: where they are refused, for the same reason all of them, nothing has been removed.
    for (const list of shown.filter((one) => isChosen(one) && !isOn(one)))
      await addMembers(ctx, viewer, { id: list, accounts: [id] })
    for (const list of shown.filter((one) => !isChosen(one) && isOn(one)))
      await removeMembers(ctx, viewer, { id: list, accounts: [id] })
    return null
  },
}

export function ListsOfPersonPage({ view }: { readonly view: FormView<OwnLists> }) {
  const t = useTranslation()
  const { profile, typed, found } = view
  const { all, holding } = found
  const isChosen = (id: number) =>
    typed === null ? holding.some((one) => one.id === id) : typed(fieldOf(id)) === '1'
  return (
    <FormPage
      view={view}
      title={t('client.person.listsWithName', { name: profile.name })}
      button={t('common.save')}
    >
      {all.length === 0 && <p>{t('client.noListsYet')}</p>}
      <input type="hidden" name="lists" value={all.map(({ id }) => id).join(',')} />
      {all.length > 0 && (
        <fieldset>
          <legend>{t('client.lists')}</legend>
          {all.map(({ id, title }) => (
            <label class="choice">
              <input type="checkbox" name={fieldOf(id)} value="1" checked={isChosen(id)} />
              <bdi>{title}</bdi>
            </label>
          ))}
        </fieldset>
      )}
      <p>
        <a href={paths.lists}>{t('client.createAList')}</a>
      </p>
    </FormPage>
  )
}
