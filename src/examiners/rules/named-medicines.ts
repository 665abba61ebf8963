/** A medicine that a text names. */
export interface NamedMedicine {
  /** The same for all names of one substance. */
  readonly substance: string;
  /** As written in the text. */
  readonly text: string;
}

/** Substances with the other names that patients, clinicians and boxes use for them; brand names of several countries. */
const SUBSTANCES = `
paracetamol: acetaminophen tylenol panadol calpol dafalgan doliprane
ibuprofen: advil nurofen motrin brufen
naproxen: aleve naprosyn
diclofenac: voltaren voltarol
aspirin: disprin acetylsalicylic
codeine:
morphine: oramorph
oxycodone: oxycontin percocet
fentanyl:
hydrocodone: vicodin
tramadol:
warfarin: coumadin
phenprocoumon: marcumar
apixaban: eliquis
rivaroxaban: xarelto
dabigatran: pradaxa
edoxaban: lixiana
clopidogrel: plavix
heparin:
enoxaparin: clexane lovenox
salbutamol: albuterol ventolin
prednisolone: deltacortril
prednisone:
budesonide: pulmicort symbicort
beclometasone: clenil beclomethasone
fluticasone: flovent flixotide
montelukast: singulair
cetirizine: zyrtec zirtek
loratadine: claritin clarityn
diphenhydramine: benadryl
fexofenadine: allegra telfast
adrenaline: epinephrine epipen jext
metformin: glucophage
insulin: lantus novorapid humalog novolog tresiba
gliclazide:
glipizide:
glyburide: glibenclamide
semaglutide: ozempic wegovy
empagliflozin: jardiance
dapagliflozin: forxiga farxiga
furosemide: lasix frusemide
bumetanide:
spironolactone: aldactone
indapamide:
hydrochlorothiazide:
bendroflumethiazide:
bisoprolol: concor
metoprolol: lopressor
atenolol:
propranolol: inderal
labetalol:
methyldopa: aldomet
levodopa: sinemet
ramipril: altace
lisinopril: zestril
enalapril:
losartan: cozaar
candesartan:
valsartan: diovan
amlodipine: norvasc
diltiazem:
verapamil:
digoxin: lanoxin
amiodarone:
nitroglycerin: gtn glyceryl
atorvastatin: lipitor
simvastatin: zocor
rosuvastatin: crestor
omeprazole: prilosec losec
lansoprazole:
pantoprazole:
esomeprazole: nexium
ranitidine: zantac
famotidine: pepcid
gaviscon:
loperamide: imodium
ondansetron: zofran
metoclopramide: maxolon
senna: senokot
bisacodyl: dulcolax
lactulose:
macrogol: laxido movicol miralax
amoxicillin: amoxil
augmentin:
penicillin: phenoxymethylpenicillin
flucloxacillin:
azithromycin: zithromax
clarithromycin:
doxycycline:
ciprofloxacin:
trimethoprim:
bactrim:
nitrofurantoin: macrobid
metronidazole: flagyl
cefalexin: cephalexin
ceftriaxone:
aciclovir: acyclovir
valaciclovir: valacyclovir
oseltamivir: tamiflu
fluconazole: diflucan
sertraline: zoloft lustral
fluoxetine: prozac
citalopram: cipramil celexa
escitalopram: cipralex lexapro
paroxetine: seroxat paxil
venlafaxine: effexor
duloxetine: cymbalta
mirtazapine: remeron
amitriptyline: elavil
nortriptyline:
trazodone:
bupropion: wellbutrin
diazepam: valium
lorazepam: ativan
alprazolam: xanax
temazepam:
zopiclone:
zolpidem: ambien
olanzapine: zyprexa
quetiapine: seroquel
risperidone: risperdal
aripiprazole: abilify
haloperidol: haldol
clozapine: clozaril
valproate: depakote epilim
lamotrigine: lamictal
carbamazepine: tegretol
levetiracetam: keppra
gabapentin: neurontin
pregabalin: lyrica
methylphenidate: ritalin concerta
levothyroxine: thyroxine synthroid
methotrexate:
hydroxychloroquine: plaquenil
allopurinol:
colchicine:
tamsulosin: flomax
finasteride: proscar
sildenafil: viagra
tadalafil: cialis
alendronate: fosamax
tamoxifen:
folate: folic
sumatriptan: imitrex imigran
pseudoephedrine: sudafed
dextromethorphan:
melatonin:
methadone:
buprenorphine: subutex suboxone
naloxone: narcan
misoprostol:
mifepristone:
levonorgestrel: levonelle
`;

const BY_NAME: ReadonlyMap<string, string> = new Map(
  SUBSTANCES.trim()
    .split('\n')
    .flatMap((line) => {
      const [substance = '', names = ''] = line.split(':');
      return [substance, ...names.trim().split(' ')].filter(Boolean).map((name): [string, string] => [name, substance]);
    }),
);

/** Endings that international names of substances share (WHO's list of stems), for substances that are not in the table. */
const STEM =
  /^\p{L}{3,20}(?:pril|sartan|[ao]lol|statin|dipine|prazole|tidine|mycin|cillin|floxacin|cycline|azepam|azolam|oxetine|gliptin|gliflozin|glutide|xaban|parin|triptan|setron|thiazide|profen|codone|conazole|nidazole|tinib|zumab|ximab|barbital|lukast|asone)$/u;
const NO_MEDICINES = new Set(['april', 'season', 'reason', 'treason', 'mason']);

const WORD = /\p{L}{4,40}/gu;

/** The medicines that a text names, in order. */
export function medicinesIn(text: string): NamedMedicine[] {
  const found: NamedMedicine[] = [];
  for (const { 0: name } of text.matchAll(WORD)) {
    const lower = name.toLowerCase();
    const substance = BY_NAME.get(lower) ?? (STEM.test(lower) && !NO_MEDICINES.has(lower) ? lower : undefined);
    if (substance !== undefined) found.push({ substance, text: name });
  }
  return found;
}
