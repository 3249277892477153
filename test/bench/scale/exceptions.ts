import * as z from 'zod'
import { type ScaleFigures, scales } from '../../support/scale/figures'
import exceptions from './exceptions.json'
import { figureNames } from './figures'
import type { CostException } from './judge'
import type { PlanException } from './plans'

const Bounds = z.partialRecord(z.enum(figureNames), z.number())
const ScaleFigure = z.custom<keyof ScaleFigures>((name) => Object.keys(scales['1000']).includes(String(name)))
const Cost = z.strictObject({
  case: z.string(),
  reason: z.string(),
  atMost: Bounds.exactOptional(),
  per: ScaleFigure.exactOptional(),
  factors: Bounds.exactOptional(),
  atMillion: z.literal(true).exactOptional(),
})
const Plan = z.strictObject({ statement: z.string(), finding: z.string(), reason: z.string() })

export const costExceptions: readonly CostException[] = z.array(Cost).parse(exceptions.costs)
export const planExceptions: readonly PlanException[] = z.array(Plan).parse(exceptions.plans)
