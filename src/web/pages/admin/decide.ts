import type * as z from 'zod'
import type { AdminAccount } from '../../../contract/entities/admin/account'
import type { Moderator } from '../../../domain/core/viewer'
import { actionTypes, actOnAccount } from '../../../domain/moderation/act'
import { actOnStatuses, statusActionTypes } from '../../../domain/moderation/act-on-statuses'
import {
  previewPostDeletion,
  previewStrike,
  previewSuspension,
} from '../../../domain/moderation/preview-acts'
import type { StrikeOrder } from '../../../domain/moderation/strike'
import { Conflict, NotFound } from '../../../errors'
import type { AccountId } from '../../../lib/ids'
import type { AppContext } from '../../../ports/app-env'
import type { Ctx } from '../../../ports/ctx'
import {
  type Choice,
  type Concerned,
  type FoundDecision,
  mildQuestion,
  withAppeal,
} from '../../components/admin/decision-form'
import { askPostDeletion, askSuspension } from '../../components/admin/questions'
import { checkbox, chosenOf, textField } from '../../form-fields'
import type { SubmissionCall } from '../../member-pages/declaration'
import type { QuestionWords } from '../../member-pages/question'
import { moderatorOf } from '../../moderator'

/** Fields of `ChoicePage`. */
export const decisionFields = {
  sent: textField(10),
  preset: textField(20),
  text: textField(10_000),
  send_email: checkbox,
  block_email: checkbox,
}

type Decision = z.output<z.ZodObject<typeof decisionFields>>

/** Account that a decision is about, and the report that led to it. */
export interface Subject {
  readonly accountId: AccountId
  readonly reportId: number | null
}

const allTypes = [...actionTypes, ...statusActionTypes]

/** The decision that the path of a form names. */
function typeIn(c: AppContext) {
  const type = allTypes.find((one) => one === c.req.param('type'))
  if (type === undefined) throw new NotFound()
  return type
}

function orderOf(input: Decision, subject: Subject): StrikeOrder {
  return {
    ...subject,
    text: input.text,
    warningPresetId: input.preset === '' ? null : Number(input.preset),
    sendEmail: input.send_email,
    statusIds: null,
    collectionIds: null,
  }
}

/** Asks about a suspension and about deleted posts, where the page of the decision has not done so. */
export async function askDecision(
  { c, ctx, session, input }: SubmissionCall<Decision>,
  subject: Subject,
): Promise<QuestionWords | null> {
  const type = typeIn(c)
  const [moderator, order] = [moderatorOf(c, session), orderOf(input, subject)]
  if (type === 'delete') return askPostDeletion(await previewPostDeletion(ctx, moderator, order))
  if (type !== 'suspend') return null
  return askSuspension(await previewSuspension(ctx, moderator, order), {
    blocksAddress: input.block_email,
    isAnnounced: input.send_email,
  })
}

/** Carries out the decision that the path names about an account, or about the posts of a report. */
export async function decide(
  { c, ctx, session, input }: SubmissionCall<Decision>,
  subject: Subject,
): Promise<void> {
  const type = typeIn(c)
  const [moderator, order] = [moderatorOf(c, session), orderOf(input, subject)]
  if (type === 'delete' || type === 'mark_as_sensitive')
    await actOnStatuses(ctx, moderator, { ...order, type })
  else await actOnAccount(ctx, moderator, { ...order, type, blocksAddress: input.block_email })
}

interface Chosen {
  readonly choices: readonly Choice[]
  /** The choice that the address names. */
  readonly type: string
  readonly subject: Subject
  readonly account: AdminAccount
  readonly concerned: Concerned
}

/** The choice that an address names among those offered, and what its page says. Fails for want of rank. */
export async function askedIn(
  ctx: Ctx,
  moderator: Moderator,
  { choices, type, subject, account, concerned }: Chosen,
): Promise<FoundDecision['asked']> {
  const choice = choices.find((one) => one === type)
  if (choice === undefined) return null
  const mild = mildQuestion(choice, account, concerned)
  if (choice === 'resolve') return { choice, words: mild }
  const order = {
    ...subject,
    text: '',
    warningPresetId: null,
    sendEmail: true,
    statusIds: null,
    collectionIds: null,
  }
  const preview = async (): Promise<QuestionWords> => {
    if (choice === 'delete') return askPostDeletion(await previewPostDeletion(ctx, moderator, order))
    const told = { blocksAddress: false, isAnnounced: true }
    if (choice === 'suspend') return askSuspension(await previewSuspension(ctx, moderator, order), told)
    await previewStrike(ctx, moderator, order)
    return mild
  }
  try {
    const words = await preview()
    // The question about deleted posts says so itself.
    const kept = choice === 'delete' ? 0 : concerned.posts + concerned.collections
    return { choice, words: account.domain === null ? withAppeal(words, kept) : words }
  } catch (failure) {
    // Said once the form is sent, with what was typed.
    if (failure instanceof Conflict) return { choice, words: mild }
    throw failure
  }
}

/** Posts among which some are chosen on a page. */
export const mostChoices = 10

/** Field of the box for a post, by its place in the list; its value is the id. */
export function choiceField(place: number): string {
  return `post-${place}`
}

const choiceFields = Array.from({ length: mostChoices }, (_, place) => choiceField(place))

/** Fields of `AccountPosts`. */
export const postDecisionFields = {
  ...Object.fromEntries(choiceFields.map((name) => [name, textField(20)])),
  posts_type: textField(40),
  posts_preset: textField(20),
  posts_text: textField(10_000),
  posts_send_email: checkbox,
}

type PostDecision = z.output<z.ZodObject<typeof postDecisionFields>>

function orderAboutPosts(input: PostDecision, accountId: AccountId): StrikeOrder {
  const sent: Readonly<Record<string, unknown>> = input
  return {
    accountId,
    reportId: null,
    text: input.posts_text,
    warningPresetId: input.posts_preset === '' ? null : Number(input.posts_preset),
    sendEmail: input.posts_send_email,
    statusIds: choiceFields.map((name) => Number(sent[name])).filter((id) => id > 0),
    collectionIds: null,
  }
}

const chosenPostType = (input: PostDecision) => chosenOf(statusActionTypes, 'posts_type', input.posts_type)

/** Asks about the deletion of the chosen posts. */
export async function askAboutPosts(
  { c, ctx, session, input }: SubmissionCall<PostDecision>,
  accountId: AccountId,
): Promise<QuestionWords | null> {
  if (chosenPostType(input) !== 'delete') return null
  const order = orderAboutPosts(input, accountId)
  return askPostDeletion(await previewPostDeletion(ctx, moderatorOf(c, session), order))
}

/** Deletes the chosen posts of an account, or marks them as sensitive. `Invalid` where none is chosen. */
export async function decideAboutPosts(
  { c, ctx, session, input }: SubmissionCall<PostDecision>,
  accountId: AccountId,
): Promise<void> {
  const type = chosenPostType(input)
  await actOnStatuses(ctx, moderatorOf(c, session), { ...orderAboutPosts(input, accountId), type })
}
