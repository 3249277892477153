import type * as z from 'zod'
import { actionTypes, actOnAccount } from '../../../domain/moderation/act'
import { actOnStatuses, statusActionTypes } from '../../../domain/moderation/act-on-statuses'
import { validationFailed } from '../../../errors'
import type { AccountId } from '../../../lib/ids'
import { checkbox, textField } from '../../form-fields'
import type { SubmissionCall } from '../../member-pages/declaration'
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

/** Carries out the decision of a form about an account, or about the posts of a report. `Invalid` for an unknown type. */
export async function decide(
  { c, ctx, session, input }: SubmissionCall<Decision>,
  { accountId, reportId }: { readonly accountId: AccountId; readonly reportId: number | null },
): Promise<void> {
  const order = {
    accountId,
    reportId,
    text: input.text,
    warningPresetId: input.preset === '' ? null : Number(input.preset),
    sendEmail: input.send_email,
    statusIds: null,
    collectionIds: null,
  }
  const moderator = moderatorOf(c, session)
  const onAccount = actionTypes.find((type) => type === input.type)
  const onPosts = statusActionTypes.find((type) => type === input.type)
  if (onAccount !== undefined)
    await actOnAccount(ctx, moderator, { ...order, type: onAccount, blocksAddress: input.block_email })
  else if (onPosts !== undefined) await actOnStatuses(ctx, moderator, { ...order, type: onPosts })
  else throw validationFailed('Type is not included in the list')
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

/** Deletes the chosen posts of an account, or marks them as sensitive. `Invalid` where none is chosen. */
export async function decideAboutPosts(
  { c, ctx, session, input }: SubmissionCall<z.output<z.ZodObject<typeof postDecisionFields>>>,
  accountId: AccountId,
): Promise<void> {
  const type = statusActionTypes.find((one) => one === input.posts_type)
  if (type === undefined) throw validationFailed('Type is not included in the list')
  const sent: Readonly<Record<string, unknown>> = input
  await actOnStatuses(ctx, moderatorOf(c, session), {
    type,
    accountId,
    reportId: null,
    text: input.posts_text,
    warningPresetId: input.posts_preset === '' ? null : Number(input.posts_preset),
    sendEmail: input.posts_send_email,
    statusIds: choiceFields.map((name) => Number(sent[name])).filter((id) => id > 0),
    collectionIds: null,
  })
}
