export * from "../../../common/sale/figures/amount.ts";
