export type Cost = Readonly<Record<string, number>>
export type Costs = Readonly<Record<string, Cost>>

export interface Row {
  readonly key: string
  readonly name: string
  readonly used: number
  readonly ofFree: number
  readonly ofPaid: number
  readonly dollars: number
  readonly biggest: readonly { readonly name: string; readonly share: number }[]
}

export interface Day {
  readonly people: number
  readonly rows: readonly Row[]
  readonly milliseconds: number
  readonly bill: number
  readonly cpuDollars: number
}

export const mostOfOnePerson: number
export function dayOf(people: number, costs: Costs, follows?: number): Day
export function allDays(costs: Costs): readonly Day[]
export function overdrawn(day: Day): readonly Row[]
export function carriedByFree(costs: Costs): { readonly people: number; readonly followsOfTen: number }
export function tableOf(costs: Costs): string
