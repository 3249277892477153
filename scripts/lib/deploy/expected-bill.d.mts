export function expectedBill(plan: 'free' | 'paid'): string
