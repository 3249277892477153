import type { Hono } from 'hono'
import { combineQueries } from '../../../db/query'
import { selectById } from '../../../domain/accounts/find'
import type { ViewerRef } from '../../../domain/core/viewer'
import { NotFound } from '../../../errors'
import type { AppEnv } from '../../../ports/app-env'
import type { Ctx } from '../../../ports/ctx'
import { loadAccounts } from '../../../view/load/accounts'
import { loadRelationships } from '../../../view/load/relationships'
import { presentOnlyAccount, presentRelationship } from '../../../view/present/account'
import type { Markup } from '../../page'
import { type Profile, profileOf } from '../../people/profile-view'
import { type FormRequest, type SubjectForm, type SubjectView, subjectForm } from '../subject-form'
import { reasonsOf } from './refusal'

/** Properties of the page of a form about an account. */
export interface FormView<F> extends SubjectView<F> {
  readonly profile: Profile
}

/** A page with one form about an account. */
export interface PersonForm<F> extends Pick<SubjectForm<F>, 'fields' | 'read' | 'work'> {
  /** End of its address, behind that of the account. */
  readonly name: string
  show(ctx: Ctx, view: FormView<F>): Markup | Promise<Markup>
}

export function personForm<F>(app: Hono<AppEnv>, page: PersonForm<F>): void {
  subjectForm(app, {
    ...page,
    path: `/accounts/:id{[0-9]{1,16}}/${page.name}`,
    read: (ctx, as, request) => readAll(ctx, as, page, request),
    show: (ctx, view) => {
      const [facts] = view.found.relationships
      if (facts === undefined || facts.id === view.session.accountId) throw new NotFound()
      const profile = profileOf(ctx.config, presentOnlyAccount(ctx.config, view.found.account), {
        relationship: presentRelationship(facts),
        readerId: view.session.accountId,
        showsLimited: true,
      })
      return page.show(ctx, { ...view, found: view.found.data, profile })
    },
    reasonsOf,
  })
}

function readAll<F>(ctx: Ctx, as: ViewerRef, page: PersonForm<F>, request: FormRequest) {
  return combineQueries({
    account: loadAccounts(ctx, selectById(request.id)),
    relationships: loadRelationships(ctx, as, selectById(request.id)),
    data: page.read(ctx, as, request),
  })
}
