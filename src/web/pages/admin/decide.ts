import type * as z from 'zod'
import { actionTypes, actOnAccount } from '../../../domain/moderation/act'
import { actOnStatuses, statusActionTypes } from '../../../domain/moderation/act-on-statuses'
import { previewPostDeletion, previewSuspension } from '../../../domain/moderation/preview-acts'
import type { StrikeOrder } from '../../../domain/moderation/strike'
import type { AccountId } from '../../../lib/ids'
import { askPostDeletion, askSuspension } from '../../components/admin/questions'
import { checkbox, chosenOf, textField } from '../../form-fields'
import type { SubmissionCall } from '../../member-pages/declaration'
import type { QuestionWords } from '../../member-pages/question'
import { moderatorOf } from '../../moderator'

/** Fields of `DecisionForm`. */
export const decisionFields = {
  type: textField(40),
  preset: textField(20),
  text: textField(10_000),
  send_email: checkbox,
  block_email: checkbox,
}

type Decision = z.output<z.ZodObject<typeof decisionFields>>

/** Account that a decision is about, and the report that led to it. */
interface Subject {
  readonly accountId: AccountId
  readonly reportId: number | null
}

const allTypes = [...actionTypes, ...statusActionTypes]

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

/** Asks about a suspension and about deleted posts; other decisions are undone by another. */
export async function askDecision(
  { c, ctx, session, input }: SubmissionCall<Decision>,
  subject: Subject,
): Promise<QuestionWords | null> {
  const type = chosenOf(allTypes, 'type', input.type)
  const [moderator, order] = [moderatorOf(c, session), orderOf(input, subject)]
  if (type === 'delete') return askPostDeletion(await previewPostDeletion(ctx, moderator, order))
  if (type !== 'suspend') return null
  return askSuspension(await previewSuspension(ctx, moderator, order), {
    blocksAddress: input.block_email,
    isAnnounced: input.send_email,
  })
}

/** Carries out the decision of a form about an account, or about the posts of a report. `Invalid` without one. */
export async function decide(
  { c, ctx, session, input }: SubmissionCall<Decision>,
  subject: Subject,
): Promise<void> {
  const type = chosenOf(allTypes, 'type', input.type)
  const [moderator, order] = [moderatorOf(c, session), orderOf(input, subject)]
  if (type === 'delete' || type === 'mark_as_sensitive')
    await actOnStatuses(ctx, moderator, { ...order, type })
  else await actOnAccount(ctx, moderator, { ...order, type, blocksAddress: input.block_email })
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
