"""How pages call energies: what the letters for these are, in any font."""

KINETIC = (
    "T", "K", "E_k", "E_K", "E_c", "E_C", "K_E", "T_k", "K_e", "E_{kin}", "E_{cin}",
    r"\mathrm{KE}", r"\mathcal{T}", r"\mathcal{K}", r"\mathcal{E}_c", r"\mathcal{E}_k",
)  # fmt: skip
POTENTIAL = (
    "V", "U", "E_p", "E_P", "P_E", "P_e", "E_{pot}", r"\Pi",
    r"\mathrm{PE}", r"\mathcal{V}", r"\mathcal{U}", r"\mathcal{E}_p",
)  # fmt: skip
TOTAL = (
    "E", "E_m", "E_M", "E_t", "E_T", "E_{tot}", "E_{mec}", "E_{total}",
    r"\mathrm{TE}", r"\mathrm{ME}", r"\mathcal{E}", r"\mathcal{E}_m",
)  # fmt: skip
LAGRANGIANS = ("L", r"\mathcal{L}", r"\mathscr{L}", r"\ell")
ENERGIES = frozenset({*LAGRANGIANS, *KINETIC, *POTENTIAL})
