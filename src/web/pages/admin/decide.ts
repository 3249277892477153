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
