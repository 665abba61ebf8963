/** What is taken, and measured because of it. Read by `synonyms`. */
export const MEDICINES = `
medication: medication, medications, medicine, medicines, drug, drugs, tablet, tablets, pill, pills, meds, prescription, prescriptions, prescribed
allergy: allergy, allergies, allergic, allergen, allergens
paracetamol: paracetamol, acetaminophen, tylenol, panadol, calpol
nsaid: nsaid, nsaids, ibuprofen, advil, nurofen, naproxen, diclofenac, anti inflammatory, anti inflammatories, antiinflammatory
anticoagulant: anticoagulant, anticoagulants, blood thinner, blood thinners, blood thinning, thin the blood, thin your blood, thins the blood, thins your blood, warfarin, apixaban, rivaroxaban
painkiller: painkiller, painkillers, pain killer, pain killers, pain relief, pain relievers, pain medicine, analgesic, analgesics
diuretic: diuretic, diuretics, water tablet, water tablets, water pill, water pills, furosemide
epinephrine: epinephrine, adrenaline, epipen, epipens, auto injector, auto injectors, autoinjector, autoinjectors, adrenaline pen, adrenaline pens, epinephrine pen
preventer: preventer, preventers, preventer inhaler, steroid inhaler, brown inhaler, controller inhaler
sugar: sugar, sugars, glucose, sugary
interaction: interact, interacts, interacting, interaction, interactions, mix, mixing, combine, combining, together with
dose: dose, doses, dosage, dosing, mg, milligram, milligrams
history: medical history, past history, health problems, medical conditions, medical condition, health conditions, diagnosed
diagnosis: diagnose, diagnosing, diagnosis, diagnoses
xray: xray, xrays, x ray, x rays, x rayed, xrayed
`;
